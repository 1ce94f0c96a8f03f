//! Where packets come from.

use fabric::Node;

/// A packet at the head of a source queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packet {
    pub dst: Node,
    /// At least 1.
    pub flits: u32,
    /// Cycle in which it was created; never after the cycle in which it is handed over.
    pub created: u64,
    /// The message it belongs to.
    pub message: u32,
}

/// The answer of a source queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    Packet(Packet),
    /// Nothing before this cycle, which lies in the future.
    At(u64),
    /// Nothing until [`Traffic::delivered`] says that there may be something again.
    Waiting,
}

/// The source queues of all nodes. A source works on one packet at a time.
pub trait Traffic {
    /// The packet that `src` sends next. Asked again only once that packet is sent completely.
    fn next(&mut self, src: Node, now: u64) -> Next;
    /// The tail of a packet from `src` has arrived; true if a waiting `src` must be asked again.
    fn delivered(&mut self, src: Node, message: u32, now: u64) -> bool;
}
