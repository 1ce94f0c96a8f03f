//! What happens at a known time. Ranks run ahead of the network, so their messages wait here.

use crate::time::Time;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Pass the message's next transfer to the network.
    Transfer(u32),
    /// Begin the copy of an eager message that has matched.
    Copy(u32),
    /// Let the receiver take in a message with costs by size.
    TakeIn(u32),
    /// Resume the rank if it is still in the wait of this number.
    Wake(u32, u32),
    /// A request of the rank is complete: resume the rank if it repeats a test.
    Change(u32),
    /// Let the rank repeat its test if it is still in the wait of this number.
    TestAgain(u32, u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Timer {
    at: Time,
    number: u64,
    action: Action,
}

impl Ord for Timer {
    fn cmp(&self, other: &Self) -> Ordering {
        // The heap returns the largest first, so the earliest counts as the largest.
        (other.at, other.number).cmp(&(self.at, self.number))
    }
}

impl PartialOrd for Timer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Actions by time. Those of one time are in the order in which they were set.
#[derive(Debug, Default)]
pub struct Timers {
    heap: BinaryHeap<Timer>,
    set: u64,
}

impl Timers {
    #[inline]
    pub fn set(&mut self, at: Time, action: Action) {
        self.heap.push(Timer { at, number: self.set, action });
        self.set += 1;
    }

    #[inline]
    pub fn count(&self) -> usize {
        self.heap.len()
    }

    /// Time of the first action.
    #[inline]
    pub fn first(&self) -> Option<Time> {
        self.heap.peek().map(|timer| timer.at)
    }

    /// The first action that is due.
    #[inline]
    pub fn due(&mut self, now: Time) -> Option<Action> {
        if self.first()? > now {
            return None;
        }
        self.heap.pop().map(|timer| timer.action)
    }
}
