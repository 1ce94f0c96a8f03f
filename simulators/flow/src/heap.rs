//! An indexed 4-ary heap: one due time per slot, changed in place.

const ARITY: usize = 4;

pub struct Heap {
    due: Vec<f64>,
    slot: Vec<u32>,
    /// Place of a slot in the two arrays above.
    place: Vec<u32>,
}

impl Heap {
    /// All slots, none of them due.
    pub fn new(slots: usize) -> Self {
        let order: Vec<u32> = (0..slots as u32).collect();
        Self { due: vec![f64::INFINITY; slots], slot: order.clone(), place: order }
    }

    /// One more slot, which is not due.
    pub fn add_slot(&mut self) {
        let slot = self.due.len() as u32;
        self.due.push(f64::INFINITY);
        self.slot.push(slot);
        self.place.push(slot);
    }

    /// The earliest due time.
    #[inline]
    pub fn earliest(&self) -> f64 {
        self.due.first().copied().unwrap_or(f64::INFINITY)
    }

    /// Appends all slots due no later than `until`; they stay in the heap.
    #[inline]
    pub fn due_until(&self, until: f64, stack: &mut Vec<u32>, found: &mut Vec<u32>) {
        stack.push(0);
        while let Some(at) = stack.pop() {
            if self.due[at as usize] <= until {
                found.push(self.slot[at as usize]);
                let child = at as usize * ARITY + 1;
                stack.extend(child as u32..self.due.len().min(child + ARITY).max(child) as u32);
            }
        }
    }

    /// Changes the due time of a slot.
    #[inline]
    pub fn set(&mut self, slot: u32, due: f64) {
        let at = self.place[slot as usize] as usize;
        if due < self.due[at] {
            self.rise(at, slot, due);
        } else {
            self.sink(at, slot, due);
        }
    }

    #[inline]
    fn put(&mut self, at: usize, slot: u32, due: f64) {
        self.due[at] = due;
        self.slot[at] = slot;
        self.place[slot as usize] = at as u32;
    }

    #[inline]
    fn rise(&mut self, mut at: usize, slot: u32, due: f64) {
        while at > 0 {
            let parent = (at - 1) / ARITY;
            if self.due[parent] <= due {
                break;
            }
            self.put(at, self.slot[parent], self.due[parent]);
            at = parent;
        }
        self.put(at, slot, due);
    }

    #[inline]
    fn sink(&mut self, mut at: usize, slot: u32, due: f64) {
        loop {
            let first = at * ARITY + 1;
            let end = (first + ARITY).min(self.due.len());
            let Some(least) =
                (first..end).reduce(|a, b| if self.due[b] < self.due[a] { b } else { a })
            else {
                break;
            };
            if self.due[least] >= due {
                break;
            }
            self.put(at, self.slot[least], self.due[least]);
            at = least;
        }
        self.put(at, slot, due);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn due_slots_are_those_of_a_plain_list(
            changes in prop::collection::vec((0_u32..50, 0_u32..100), 1..400),
        ) {
            let mut heap = Heap::new(50);
            let mut plain = [f64::INFINITY; 50];
            for (slot, due) in changes {
                heap.set(slot, f64::from(due));
                plain[slot as usize] = f64::from(due);
                let least = plain.iter().copied().fold(f64::INFINITY, f64::min);
                prop_assert_eq!(heap.earliest(), least);
                let mut found = vec![];
                heap.due_until(least, &mut vec![], &mut found);
                found.sort_unstable();
                let expected: Vec<u32> = (0..50).filter(|&s| plain[s as usize] <= least).collect();
                prop_assert_eq!(found, expected);
            }
        }
    }
}
