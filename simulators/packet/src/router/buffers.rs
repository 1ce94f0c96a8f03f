//! Input buffers: one ring of flits per virtual channel of every input port.

use crate::packets::Flit;

pub struct Buffers {
    capacity: usize,
    flits: Vec<Flit>,
    first: Vec<u16>,
    held: Vec<u16>,
}

impl Buffers {
    pub fn new(vcs: usize, capacity_flits: u16) -> Self {
        let capacity = usize::from(capacity_flits);
        Self {
            capacity,
            flits: vec![Flit::default(); vcs * capacity],
            first: vec![0; vcs],
            held: vec![0; vcs],
        }
    }

    /// Flits in every buffer.
    pub fn held(&self) -> &[u16] {
        &self.held
    }

    #[inline]
    pub fn len(&self, vc: usize) -> usize {
        usize::from(self.held[vc])
    }

    #[inline]
    pub fn front(&self, vc: usize) -> Flit {
        self.flits[vc * self.capacity + usize::from(self.first[vc])]
    }

    #[inline]
    pub fn push(&mut self, vc: usize, flit: Flit) {
        let (first, held) = (usize::from(self.first[vc]), usize::from(self.held[vc]));
        debug_assert!(held < self.capacity, "a flit without a credit");
        let end = first + held;
        let end = if end >= self.capacity { end - self.capacity } else { end };
        self.flits[vc * self.capacity + end] = flit;
        self.held[vc] += 1;
    }

    /// Drops the flit at the front. An empty buffer starts anew, so that short queues stay within
    /// few lines of the cache.
    #[inline]
    pub fn pop(&mut self, vc: usize) {
        let next = usize::from(self.first[vc]) + 1;
        self.held[vc] -= 1;
        let wraps = next == self.capacity || self.held[vc] == 0;
        self.first[vc] = if wraps { 0 } else { next as u16 };
    }
}
