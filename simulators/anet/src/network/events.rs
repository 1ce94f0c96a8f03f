//! What happens at a known time.

use mpi::time::Time;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Numbers are those of transfers, routers and blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum What {
    /// Messaging hands a transfer over.
    HandOver(u32),
    /// The head of a block's message asks the controller of a router for a route.
    Ask(u32, u8),
    /// The controller of a router has served a request.
    Served(u32),
    /// The tail of a block's message has left the block.
    Left(u32, u8),
    /// The tail of a message is in the packet buffer of a router.
    Stored(u32),
    /// The target knows of a message.
    Known(u32),
    /// The message receiver of a router has written all of a message.
    Received(u32),
    /// A host has got all of a message from the host port of a router.
    AtHost(u32, u32),
    /// A transfer has crossed the memory of its node.
    Copied(u32),
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
