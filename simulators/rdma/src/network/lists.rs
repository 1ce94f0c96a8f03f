//! Lists of events that share one piece of memory. It is taken in chunks, the one given back last
//! first, so that it stays in the near caches: a list with memory of its own would leave most of it
//! cold.

use mpi::time::Time;

/// Events of a chunk.
const CHUNK: u32 = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    pub at: Time,
    pub what: u64,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct List {
    first_chunk: u32,
    /// Place of the next event; 0 in an empty list.
    end: u32,
}

impl List {
    /// Its next event needs a further chunk.
    #[inline]
    pub fn is_full(self) -> bool {
        self.end % CHUNK == 0
    }

    #[inline]
    pub fn is_empty(self) -> bool {
        self.end == 0
    }
}

#[derive(Default)]
pub(super) struct Lists {
    events: Vec<Event>,
    /// Per chunk: the one behind it in the same list.
    next: Vec<u32>,
    free: Vec<u32>,
}

impl Lists {
    /// Adds to a list that is not full.
    #[inline(always)]
    pub fn push(&mut self, list: &mut List, event: Event) {
        self.events[list.end as usize] = event;
        list.end += 1;
    }

    /// A further chunk for a list that is full.
    pub fn grow(&mut self, list: &mut List) {
        let chunk = self.free.pop().unwrap_or_else(|| {
            self.events.resize(self.events.len() + CHUNK as usize, Event { at: 0, what: 0 });
            self.next.push(0);
            self.next.len() as u32 - 1
        });
        if list.is_empty() {
            list.first_chunk = chunk;
        } else {
            self.next[(list.end / CHUNK - 1) as usize] = chunk;
        }
        list.end = chunk * CHUNK;
    }

    /// Moves all events of a list that is not empty.
    pub fn take(&mut self, list: &mut List, into: &mut Vec<Event>) {
        let List { first_chunk: mut chunk, end } = std::mem::take(list);
        let last = (end - 1) / CHUNK;
        loop {
            let begin = chunk * CHUNK;
            let end = if chunk == last { end } else { begin + CHUNK };
            into.extend_from_slice(&self.events[begin as usize..end as usize]);
            self.free.push(chunk);
            if chunk == last {
                return;
            }
            chunk = self.next[chunk as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(lists: &mut Lists, list: &mut List, numbers: std::ops::Range<u64>) {
        for what in numbers {
            if list.is_full() {
                lists.grow(list);
            }
            lists.push(list, Event { at: 0, what });
        }
    }

    fn take(lists: &mut Lists, list: &mut List) -> Vec<u64> {
        let mut events = Vec::new();
        lists.take(list, &mut events);
        events.iter().map(|event| event.what).collect()
    }

    #[test]
    fn lists_that_grow_in_turn_keep_their_own_events_in_order() {
        let (mut lists, mut one, mut two) = Default::default();
        add(&mut lists, &mut one, 0..20);
        add(&mut lists, &mut two, 100..148);
        add(&mut lists, &mut one, 20..64);
        assert_eq!(take(&mut lists, &mut one), Vec::from_iter(0..64));
        assert_eq!(take(&mut lists, &mut two), Vec::from_iter(100..148));
        assert!(one.is_empty() && two.is_empty());
    }

    #[test]
    fn memory_of_a_list_that_was_taken_is_used_again() {
        let (mut lists, mut list) = <(Lists, List)>::default();
        for _ in 0..5 {
            add(&mut lists, &mut list, 0..33);
            take(&mut lists, &mut list);
        }
        assert_eq!(lists.events.len(), 3 * CHUNK as usize);
    }
}
