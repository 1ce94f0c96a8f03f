//! Equal share, the rule of the Message Flow Simulator (MFS; Yazaki and Ishihata).
//!
//! With `n(l)` flows on channel `l` of bandwidth `b`, a flow on route `P` runs at
//! `min over l in P of b / n(l)`. What a flow leaves unused on a channel is not given to others, so
//! rates depend on the counts alone: a flow's rate is the network's bandwidth over the largest load on
//! its route, which with equal bandwidths is the largest count. When a load rises, only flows with a
//! smaller one can change; when it falls, only flows whose load it was.

use crate::capacity::Capacity;
use crate::incidence::Incidence;
use crate::sharing::Sharing;
use fabric::Channel;

pub struct EqualShare<C: Capacity> {
    incidence: Incidence,
    capacity: C,
    /// Channels whose count may differ from `settled`.
    dirty: Vec<Channel>,
    /// Count per channel when the rates were last settled.
    settled: Vec<u32>,
    /// Largest load on the route per slot.
    largest: Vec<C::Load>,
    /// Flows to look at, each once.
    touched: Vec<u32>,
    is_touched: Vec<bool>,
    /// A node's largest rate, as a fraction of the channel bandwidth.
    limit: f64,
}

impl<C: Capacity> EqualShare<C> {
    pub fn new(
        incidence: Incidence,
        capacity: C,
        channels: usize,
        slots: usize,
        limit: f64,
    ) -> Self {
        Self {
            incidence,
            capacity,
            dirty: Vec::new(),
            settled: vec![0; channels],
            largest: vec![C::NEW; slots],
            touched: Vec::new(),
            is_touched: vec![false; slots],
            limit,
        }
    }

    fn slowdown(&self, largest: C::Load) -> f64 {
        C::factor(largest).max(1.0 / self.limit)
    }
}

impl<C: Capacity> Sharing for EqualShare<C> {
    fn incidence(&self) -> &Incidence {
        &self.incidence
    }

    fn incidence_mut(&mut self) -> &mut Incidence {
        &mut self.incidence
    }

    fn add_slot(&mut self) {
        self.incidence.add_slot();
        self.largest.push(C::NEW);
        self.is_touched.push(false);
    }

    #[inline]
    fn add(&mut self, slot: u32, path: &[Channel], bytes: f64) {
        let Self { incidence, dirty, settled, .. } = self;
        incidence.add(slot, path, bytes, |channel, count| {
            if count == settled[channel as usize] {
                dirty.push(channel);
            }
        });
        self.largest[slot as usize] = C::NEW;
        if !std::mem::replace(&mut self.is_touched[slot as usize], true) {
            self.touched.push(slot);
        }
    }

    #[inline]
    fn remove(&mut self, slot: u32) {
        let Self { incidence, dirty, settled, .. } = self;
        incidence.remove(slot, |channel, count| {
            if count == settled[channel as usize] {
                dirty.push(channel);
            }
        });
    }

    #[inline]
    fn settle(&mut self, mut changed: impl FnMut(u32, f64)) {
        for channel in self.dirty.drain(..) {
            let count = self.incidence.count(channel);
            let before = std::mem::replace(&mut self.settled[channel as usize], count);
            if count == before {
                continue;
            }
            let rises = count > before;
            let (load, before) =
                (self.capacity.load(channel, count), self.capacity.load(channel, before));
            for slot in self.incidence.flows(channel) {
                let largest = self.largest[slot as usize];
                let affected = if rises { largest < load } else { largest == before };
                if affected && !self.is_touched[slot as usize] {
                    self.is_touched[slot as usize] = true;
                    self.touched.push(slot);
                }
            }
        }
        let mut touched = std::mem::take(&mut self.touched);
        for slot in touched.drain(..) {
            self.is_touched[slot as usize] = false;
            let Self { incidence, capacity, .. } = self;
            let loads = incidence.route(slot).map(|c| capacity.load(c, incidence.count(c)));
            let largest = loads.reduce(|a, b| if b > a { b } else { a }).unwrap_or(C::ALONE);
            let before = std::mem::replace(&mut self.largest[slot as usize], largest);
            if before == C::NEW {
                changed(slot, self.slowdown(largest));
            } else if largest != before {
                changed(slot, self.slowdown(largest) / self.slowdown(before));
            }
        }
        self.touched = touched;
    }

    fn rate(&self, slot: u32) -> f64 {
        match self.largest[slot as usize] {
            largest if largest == C::NEW => 1.0,
            largest => 1.0 / self.slowdown(largest),
        }
    }
}
