//! What happens in which of the next few cycles.

/// A ring of slots, one per cycle, as long as the longest delay.
pub struct Calendar<T> {
    slots: Vec<Vec<T>>,
    mask: u64,
    pending: usize,
}

impl<T> Calendar<T> {
    /// For events at most `horizon_cycles` ahead.
    pub fn new(horizon_cycles: u32) -> Self {
        let slots = (horizon_cycles as usize + 1).next_power_of_two();
        let mask = slots as u64 - 1;
        Self { slots: (0..slots).map(|_| Vec::new()).collect(), mask, pending: 0 }
    }

    #[inline]
    pub fn put(&mut self, at: u64, event: T) {
        self.slots[(at & self.mask) as usize].push(event);
        self.pending += 1;
    }

    /// The events of this cycle; give the memory back with [`Calendar::keep`].
    #[inline]
    pub fn take(&mut self, now: u64) -> Vec<T> {
        let slot = std::mem::take(&mut self.slots[(now & self.mask) as usize]);
        self.pending -= slot.len();
        slot
    }

    #[inline]
    pub fn keep(&mut self, now: u64, mut slot: Vec<T>) {
        slot.clear();
        self.slots[(now & self.mask) as usize] = slot;
    }

    pub fn is_empty(&self) -> bool {
        self.pending == 0
    }

    /// The first cycle from `now` on with events.
    pub fn next(&self, now: u64) -> Option<u64> {
        if self.is_empty() {
            return None;
        }
        (now..=now + self.mask).find(|at| !self.slots[(at & self.mask) as usize].is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_back_in_their_cycle() {
        let mut calendar = Calendar::new(5);
        calendar.put(3, 'b');
        calendar.put(2, 'a');
        assert_eq!(calendar.next(0), Some(2));
        let taken = calendar.take(2);
        assert_eq!(taken, ['a']);
        calendar.keep(2, taken);
        assert_eq!(calendar.next(3), Some(3));
        assert_eq!(calendar.take(3), ['b']);
        assert_eq!(calendar.next(4), None);
    }
}
