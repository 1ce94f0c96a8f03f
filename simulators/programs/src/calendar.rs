//! What will happen in a network, by time.

use mpi::time::Time;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Events by time; those of one time in the order in which they were planned.
#[derive(Debug)]
pub struct Calendar<E> {
    heap: BinaryHeap<Reverse<(Time, u64, E)>>,
    planned: u64,
}

impl<E: Ord> Default for Calendar<E> {
    fn default() -> Self {
        Self { heap: BinaryHeap::new(), planned: 0 }
    }
}

impl<E: Ord> Calendar<E> {
    #[inline]
    pub fn plan(&mut self, at: Time, event: E) {
        self.heap.push(Reverse((at, self.planned, event)));
        self.planned += 1;
    }

    /// The time of the first event.
    #[inline]
    pub fn first(&self) -> Option<Time> {
        self.heap.peek().map(|Reverse((at, ..))| *at)
    }

    /// Takes the first event that is due.
    #[inline]
    pub fn due(&mut self, now: Time) -> Option<E> {
        if self.first()? > now {
            return None;
        }
        self.heap.pop().map(|Reverse((.., event))| event)
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
