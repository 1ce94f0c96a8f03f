//! What will happen, by time.

use crate::time::Time;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// An event with its time and the number of events that were planned before it, in one word: words are
/// compared without a branch.
#[derive(Debug)]
struct Entry<E> {
    key: u128,
    event: E,
}

impl<E> Entry<E> {
    fn at(&self) -> Time {
        (self.key >> 64) as Time
    }
}

impl<E> PartialEq for Entry<E> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<E> Eq for Entry<E> {}

impl<E> PartialOrd for Entry<E> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> Ord for Entry<E> {
    fn cmp(&self, other: &Self) -> Ordering {
        // The heap returns the largest first, so the earliest counts as the largest.
        other.key.cmp(&self.key)
    }
}

/// Events by time; those of one time in the order in which they were planned.
#[derive(Debug)]
pub struct Calendar<E> {
    heap: BinaryHeap<Entry<E>>,
    planned: u64,
}

impl<E> Default for Calendar<E> {
    fn default() -> Self {
        Self { heap: BinaryHeap::new(), planned: 0 }
    }
}

impl<E> Calendar<E> {
    #[inline]
    pub fn plan(&mut self, at: Time, event: E) {
        self.heap.push(Entry { key: u128::from(at) << 64 | u128::from(self.planned), event });
        self.planned += 1;
    }

    /// How many events are to come.
    #[inline]
    pub fn count(&self) -> usize {
        self.heap.len()
    }

    /// The time of the first event.
    #[inline]
    pub fn first(&self) -> Option<Time> {
        self.heap.peek().map(Entry::at)
    }

    /// Takes the first event that is due.
    #[inline]
    pub fn due(&mut self, now: Time) -> Option<E> {
        if self.first()? > now {
            return None;
        }
        self.heap.pop().map(|entry| entry.event)
    }
}

#[cfg(test)]
mod tests {
    use super::Calendar;

    #[test]
    fn events_come_by_time_and_then_in_the_order_of_planning() {
        let mut calendar = Calendar::default();
        for (at, event) in [(7, "later"), (3, "first"), (3, "and then"), (3, "at last")] {
            calendar.plan(at, event);
        }
        let due: Vec<_> = std::iter::from_fn(|| calendar.due(3)).collect();
        assert_eq!(due, ["first", "and then", "at last"]);
        assert_eq!(
            (calendar.first(), calendar.due(6), calendar.due(7)),
            (Some(7), None, Some("later"))
        );
        assert_eq!(calendar.first(), None);
    }
}
