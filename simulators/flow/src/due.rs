//! When each slot's flow ends at its present rate.

use crate::heap::Heap;

/// Due times by slot, and the earliest of them.
pub struct Due {
    heap: Heap,
    at: Vec<f64>,
    stack: Vec<u32>,
}

impl Due {
    /// No slot is due.
    pub fn new(slots: usize) -> Self {
        Self { heap: Heap::new(slots), at: vec![f64::INFINITY; slots], stack: Vec::new() }
    }

    /// One more slot, which is not due.
    pub fn add_slot(&mut self) {
        self.heap.add_slot();
        self.at.push(f64::INFINITY);
    }

    #[inline]
    pub fn at(&self, slot: u32) -> f64 {
        self.at[slot as usize]
    }

    #[inline]
    pub fn earliest(&self) -> f64 {
        self.heap.earliest()
    }

    /// Appends all slots due no later than `until`; they stay due.
    #[inline]
    pub fn until(&mut self, until: f64, found: &mut Vec<u32>) {
        self.heap.due_until(until, &mut self.stack, found);
    }

    #[inline]
    pub fn set(&mut self, slot: u32, at: f64) {
        self.at[slot as usize] = at;
        self.heap.set(slot, at);
    }

    /// A flow at the full bandwidth would be due then; the next [`Due::stretch`] says when it is.
    #[inline]
    pub fn begin(&mut self, slot: u32, at: f64) {
        self.at[slot as usize] = at;
    }

    /// From `now` on, the slot's flow takes `factor` times as long as it would have.
    #[inline]
    pub fn stretch(&mut self, slot: u32, now: f64, factor: f64) {
        let at = &mut self.at[slot as usize];
        *at = now + (*at - now) * factor;
        self.heap.set(slot, *at);
    }
}
