//! The queue of events to come: a timing wheel with a heap for what lies beyond it.
//!
//! Events of one time come out in the order in which they went in.

use super::lists::{Event, List, Lists};
use mpi::time::Time;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// An event beyond the wheel; the heap gives the earliest, and of these the first that went in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Far {
    event: Event,
    number: u64,
}

impl Ord for Far {
    fn cmp(&self, other: &Self) -> Ordering {
        (other.event.at, other.number).cmp(&(self.event.at, self.number))
    }
}

impl PartialOrd for Far {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

pub struct Wheel {
    /// A slot is 2^shift picoseconds wide.
    shift: u32,
    slots: Vec<List>,
    lists: Lists,
    /// One bit per slot that holds something.
    occupied: Vec<u64>,
    /// Number of the slot that `current` was taken from.
    now: u64,
    /// Events of that slot and before, by time; those in front of `next` are gone.
    current: Vec<Event>,
    next: usize,
    far: BinaryHeap<Far>,
    numbered: u64,
}

impl Wheel {
    /// `slots` must be a power of two and at least 64.
    pub fn new(shift: u32, slots: usize) -> Self {
        Self {
            shift,
            slots: vec![List::default(); slots],
            lists: Lists::default(),
            occupied: vec![0; slots / 64],
            now: 0,
            current: Vec::new(),
            next: 0,
            far: BinaryHeap::new(),
            numbered: 0,
        }
    }

    #[inline(always)]
    pub fn push(&mut self, at: Time, what: u64) {
        let event = Event { at, what };
        let slot = at >> self.shift;
        if slot.wrapping_sub(self.now + 1) < self.slots.len() as u64 - 1 {
            self.put(slot, event);
        } else {
            self.push_rarely(slot, event);
        }
    }

    /// Into the current slot, or beyond the wheel.
    #[cold]
    #[inline(never)]
    fn push_rarely(&mut self, slot: u64, event: Event) {
        if slot <= self.now {
            self.insert(event);
        } else {
            self.far.push(Far { event, number: self.numbered });
            self.numbered += 1;
        }
    }

    #[inline(always)]
    fn put(&mut self, slot: u64, event: Event) {
        let place = slot as usize & (self.slots.len() - 1);
        if self.slots[place].is_full() {
            self.grow(place);
        }
        self.lists.push(&mut self.slots[place], event);
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, place: usize) {
        self.occupied[place / 64] |= 1 << (place % 64);
        self.lists.grow(&mut self.slots[place]);
    }

    /// Into the current slot, behind all of the same time.
    fn insert(&mut self, event: Event) {
        match self.current.last() {
            Some(last) if self.next < self.current.len() && last.at > event.at => {
                let rest = &self.current[self.next..];
                let place = self.next + rest.partition_point(|other| other.at <= event.at);
                self.current.insert(place, event);
            }
            _ => self.current.push(event),
        }
    }

    /// The next event's time, if it is not after `until`.
    #[inline]
    pub fn next_at(&mut self, until: Time) -> Option<Time> {
        while self.next == self.current.len() {
            if !self.turn(until) {
                return None;
            }
        }
        Some(self.current[self.next].at).filter(|&at| at <= until)
    }

    /// Takes the next event if its time is `at`; [`Wheel::next_at`] has returned that before.
    #[inline]
    pub fn pop(&mut self, at: Time) -> Option<u64> {
        let event = *self.current.get(self.next)?;
        if event.at != at {
            return None;
        }
        self.next += 1;
        Some(event.what)
    }

    /// The events of a time that are next.
    #[inline]
    pub fn upcoming(&self, at: Time) -> impl Iterator<Item = u64> + '_ {
        let next = self.current[self.next..].iter();
        next.take_while(move |event| event.at == at).map(|event| event.what)
    }

    /// Goes to the next slot that holds something, unless it begins after `until`.
    fn turn(&mut self, until: Time) -> bool {
        self.current.clear();
        self.next = 0;
        let slot = match (self.next_occupied(), self.far.peek()) {
            (Some(slot), _) => slot,
            (None, Some(far)) => far.event.at >> self.shift,
            (None, None) => return false,
        };
        if slot > until >> self.shift {
            return false;
        }
        self.now = slot;
        let end = slot + self.slots.len() as u64;
        while let Some(far) = self.far.peek().filter(|far| far.event.at >> self.shift < end) {
            let event = far.event;
            self.far.pop();
            self.put(event.at >> self.shift, event);
        }
        let place = slot as usize & (self.slots.len() - 1);
        self.occupied[place / 64] &= !(1 << (place % 64));
        self.lists.take(&mut self.slots[place], &mut self.current);
        if !self.current.is_sorted_by_key(|event| event.at) {
            self.current.sort_by_key(|event| event.at);
        }
        true
    }

    #[inline]
    fn next_occupied(&self) -> Option<u64> {
        let slots = self.slots.len();
        let start = (self.now as usize + 1) & (slots - 1);
        let (word, words) = (start / 64, self.occupied.len());
        let first = self.occupied[word] & (u64::MAX << (start % 64));
        let rest = (1..=words).map(|i| ((word + i) % words, self.occupied[(word + i) % words]));
        let (word, bits) =
            std::iter::once((word, first)).chain(rest).find(|(_, bits)| *bits != 0)?;
        let place = word * 64 + bits.trailing_zeros() as usize;
        let ahead = place.wrapping_sub(start) & (slots - 1);
        Some(self.now + 1 + ahead as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpi::time::NEVER;
    use proptest::prelude::*;

    fn drain(wheel: &mut Wheel) -> Vec<(Time, u64)> {
        let mut out = Vec::new();
        while let Some(at) = wheel.next_at(NEVER) {
            while let Some(what) = wheel.pop(at) {
                out.push((at, what));
            }
        }
        out
    }

    #[test]
    fn nothing_is_taken_after_the_limit() {
        let mut wheel = Wheel::new(4, 64);
        wheel.push(100, 1);
        assert_eq!(wheel.next_at(99), None);
        wheel.push(7, 2);
        assert_eq!(drain(&mut wheel), [(7, 2), (100, 1)]);
    }

    proptest! {
        /// Also for those pushed while others are taken out.
        #[test]
        fn events_come_by_time_and_then_in_the_order_of_pushing(
            delays in prop::collection::vec(0_u64..5000, 1..300)
        ) {
            let mut wheel = Wheel::new(3, 64);
            let (mut expected, mut got, mut now) = (Vec::new(), Vec::new(), 0);
            for (number, &delay) in delays.iter().enumerate() {
                wheel.push(now + delay, number as u64);
                expected.push((now + delay, number as u64));
                if number % 3 == 0 {
                    now = wheel.next_at(NEVER).unwrap();
                    got.push((now, wheel.pop(now).unwrap()));
                }
            }
            got.extend(drain(&mut wheel));
            expected.sort();
            prop_assert_eq!(got, expected);
        }
    }
}
