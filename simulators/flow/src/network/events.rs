//! What happens at a known time.

use mpi::time::Time;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The number is a transfer's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum What {
    /// Messaging hands it over.
    HandOver(u32),
    /// It is at its NIC.
    Enter(u32),
    /// Its first bytes are read from memory.
    Begin(u32),
    /// Its last byte leaves the NIC.
    Left(u32),
    /// Its last byte is at the target's NIC.
    Land(u32),
    /// It has crossed the node's memory.
    Copied(u32),
    /// It is in the target's memory.
    Written(u32),
}

/// Events by time; those of one time in the order in which they were planned.
#[derive(Debug, Default)]
pub(super) struct Events {
    heap: BinaryHeap<Reverse<(Time, u64, What)>>,
    planned: u64,
}

impl Events {
    #[inline]
    pub fn plan(&mut self, at: Time, what: What) {
        self.heap.push(Reverse((at, self.planned, what)));
        self.planned += 1;
    }

    #[inline]
    pub fn first(&self) -> Option<Time> {
        self.heap.peek().map(|Reverse((at, ..))| *at)
    }

    /// The first event that is due.
    #[inline]
    pub fn due(&mut self, now: Time) -> Option<What> {
        if self.first()? > now {
            return None;
        }
        self.heap.pop().map(|Reverse((.., what))| what)
    }
}
