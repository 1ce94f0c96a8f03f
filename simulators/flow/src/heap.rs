//! An indexed 4-ary heap: one due time per slot, changed in place.

const ARITY: usize = 4;

#[derive(Clone, Copy)]
struct Entry {
    due: f64,
    slot: u32,
}

/// Stands for a child that does not exist.
const NOBODY: Entry = Entry { due: f64::INFINITY, slot: u32::MAX };

pub struct Heap {
    /// A slot each, and then as many [`NOBODY`] that every entry has all of its children or none.
    entries: Vec<Entry>,
    /// Place of a slot in the list above.
    place: Vec<u32>,
}

/// The first of those that are due first. Compares in pairs, so that no branch depends on who it is.
#[inline]
fn least(children: &[Entry; ARITY]) -> usize {
    let [a, b, c, d] = children.map(|child| child.due);
    let (left, first) = if b < a { (1, b) } else { (0, a) };
    let (right, second) = if d < c { (3, d) } else { (2, c) };
    if second < first { right } else { left }
}

impl Heap {
    /// All slots, none of them due.
    pub fn new(slots: usize) -> Self {
        let mut heap = Self { entries: Vec::new(), place: Vec::new() };
        (0..slots).for_each(|_| heap.add_slot());
        heap
    }

    /// One more slot, which is not due.
    pub fn add_slot(&mut self) {
        let slot = self.place.len();
        if slot == self.entries.len() {
            let more = if slot == 0 { 1 } else { ARITY };
            self.entries.resize(slot + more, NOBODY);
        }
        self.entries[slot].slot = slot as u32;
        self.place.push(slot as u32);
    }

    /// The children of a place, if it has any.
    #[inline]
    fn children(&self, at: usize) -> Option<&[Entry; ARITY]> {
        self.entries.get(at * ARITY + 1..)?.first_chunk()
    }

    /// The earliest due time.
    #[inline]
    pub fn earliest(&self) -> f64 {
        self.entries.first().map_or(f64::INFINITY, |first| first.due)
    }

    /// Appends all slots due no later than `until`, which is not infinite; they stay in the heap.
    #[inline]
    pub fn due_until(&self, until: f64, stack: &mut Vec<u32>, found: &mut Vec<u32>) {
        if self.earliest() <= until {
            stack.push(0);
        }
        while let Some(at) = stack.pop() {
            found.push(self.entries[at as usize].slot);
            let children =
                self.children(at as usize).into_iter().flatten().zip(at * ARITY as u32 + 1..);
            stack.extend(children.filter(|(child, _)| child.due <= until).map(|(_, place)| place));
        }
    }

    /// Changes the due time of a slot.
    #[inline]
    pub fn set(&mut self, slot: u32, due: f64) {
        let at = self.place[slot as usize] as usize;
        let entry = Entry { due, slot };
        if due < self.entries[at].due {
            self.rise(at, entry);
        } else {
            self.sink(at, entry);
        }
    }

    #[inline]
    fn put(&mut self, at: usize, entry: Entry) {
        self.entries[at] = entry;
        self.place[entry.slot as usize] = at as u32;
    }

    #[inline]
    fn rise(&mut self, mut at: usize, entry: Entry) {
        while at > 0 {
            let above = (at - 1) / ARITY;
            let parent = self.entries[above];
            if parent.due <= entry.due {
                break;
            }
            self.put(at, parent);
            at = above;
        }
        self.put(at, entry);
    }

    #[inline]
    fn sink(&mut self, mut at: usize, entry: Entry) {
        while let Some(children) = self.children(at) {
            let which = least(children);
            let child = children[which];
            if child.due >= entry.due {
                break;
            }
            self.put(at, child);
            at = at * ARITY + 1 + which;
        }
        self.put(at, entry);
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
