//! Input buffers: one ring of flits per virtual channel of every input port.

use crate::packets::Flit;

/// Where the flits of a buffer lie in its ring.
#[derive(Debug, Clone, Copy, Default)]
struct Filled {
    first: u16,
    count: u16,
}

pub struct Buffers {
    capacity: usize,
    flits: Vec<Flit>,
    filled: Vec<Filled>,
}

impl Buffers {
    pub fn new(vcs: usize, capacity_flits: u16) -> Self {
        let capacity = usize::from(capacity_flits);
        Self {
            capacity,
            flits: vec![Flit::default(); vcs * capacity],
            filled: vec![Filled::default(); vcs],
        }
    }

    /// Flits in every buffer.
    pub fn held(&self) -> impl Iterator<Item = u16> + '_ {
        self.filled.iter().map(|filled| filled.count)
    }

    #[inline]
    pub fn len(&self, vc: usize) -> usize {
        usize::from(self.filled[vc].count)
    }

    #[inline]
    pub fn front(&self, vc: usize) -> Flit {
        self.flits[vc * self.capacity + usize::from(self.filled[vc].first)]
    }

    /// Appends a flit; whether it is the only one.
    #[inline]
    pub fn push(&mut self, vc: usize, flit: Flit) -> bool {
        let filled = &mut self.filled[vc];
        let (first, count) = (usize::from(filled.first), usize::from(filled.count));
        debug_assert!(count < self.capacity, "a flit without a credit");
        let end = first + count;
        let end = if end >= self.capacity { end - self.capacity } else { end };
        filled.count += 1;
        self.flits[vc * self.capacity + end] = flit;
        count == 0
    }

    /// Takes the flit at the front; whether another one follows. An empty buffer starts anew, so that
    /// short queues stay within few lines of the cache.
    #[inline]
    pub fn pop(&mut self, vc: usize) -> (Flit, bool) {
        let filled = &mut self.filled[vc];
        let (first, next) = (usize::from(filled.first), filled.first + 1);
        filled.count -= 1;
        let more = filled.count > 0;
        let wraps = usize::from(next) == self.capacity || !more;
        filled.first = if wraps { 0 } else { next };
        (self.flits[vc * self.capacity + first], more)
    }
}
