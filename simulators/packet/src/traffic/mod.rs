//! Where packets come from.

mod arrivals;
mod closed_list;
mod cut;
mod interfaces;
mod open_loop;

pub use arrivals::Arrivals;
pub use closed_list::ClosedList;
pub use cut::Cut;
pub use interfaces::{Interfaces, Part};
pub use open_loop::OpenLoop;

use crate::recorder::Delivered;
use fabric::Node;
use workload::Random;

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
    /// Number of the message among those of its source.
    pub number: u32,
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
    /// Whether what arrives in a cycle may be answered in the same one: sinks come before sources
    /// then, and the simulation stops between them where something is [`due`](Traffic::due).
    const ANSWERS: bool = false;
    /// The first cycle in which something happens beside the network.
    fn due(&self) -> u64 {
        u64::MAX
    }
    /// The packet that `src` sends next. Asked again only once that packet is sent completely.
    fn next(&mut self, src: Node, now: u64) -> Next;
    /// A packet has arrived; true if its source, which waits, must be asked again.
    fn delivered(&mut self, packet: &Delivered) -> bool;
}

/// All kinds of traffic. One type, so that the simulation is compiled once per routing function.
#[derive(Debug, Clone)]
pub enum Source {
    Open(OpenLoop),
    Closed(ClosedList),
}

impl Source {
    /// The closed list, if it is one.
    pub fn closed(&self) -> Option<&ClosedList> {
        match self {
            Source::Open(_) => None,
            Source::Closed(list) => Some(list),
        }
    }
}

impl Traffic for Source {
    #[inline]
    fn next(&mut self, src: Node, now: u64) -> Next {
        match self {
            Source::Open(open) => open.next(src, now),
            Source::Closed(list) => list.next(src, now),
        }
    }

    #[inline]
    fn delivered(&mut self, packet: &Delivered) -> bool {
        match self {
            Source::Open(_) => false,
            Source::Closed(list) => list.delivered(packet),
        }
    }
}

/// The random numbers of one source. The odd factor spreads node numbers over the seeds.
fn random_of(src: Node, seed: u64) -> Random {
    Random::new(seed.wrapping_add(u64::from(src).wrapping_mul(0xd134_2543_de82_ef95)))
}
