//! What the simulation reports to the code that measures it.

use fabric::Node;

/// A packet whose tail flit has arrived; times in cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delivered {
    pub src: Node,
    pub dst: Node,
    /// The message it belongs to, as its traffic source numbers them.
    pub message: u32,
    pub flits: u32,
    /// When the source had it ready.
    pub created: u64,
    /// When the head flit left the source.
    pub departed: u64,
    pub head_arrived: u64,
    /// When the tail flit arrived.
    pub arrived: u64,
    /// Routers visited by the head flit, the first and the last included.
    pub routers: u32,
}

/// Receives events in the order of cycles.
pub trait Recorder {
    /// A flit left the source of `src`.
    fn injected(&mut self, src: Node, now: u64);
    /// A flit that had left its source at `departed` arrived at `dst`.
    fn ejected(&mut self, dst: Node, departed: u64, now: u64);
    /// All flits of a packet have arrived.
    fn delivered(&mut self, packet: &Delivered);
}
