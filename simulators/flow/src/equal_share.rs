//! Equal share, the rule of the Message Flow Simulator (MFS; Yazaki and Ishihata).
//!
//! With `n(l)` flows on channel `l` of bandwidth `b`, a flow on route `P` runs at
//! `min over l in P of b / n(l)`. What a flow leaves unused on a channel is not given to others, so
//! rates depend on the counts alone: with equal bandwidths a flow's rate is `b / n` with the
//! largest count `n` on its route. When a count rises, only flows with a smaller `n` can change;
//! when it falls, only flows whose `n` it was.

use crate::incidence::Incidence;
use crate::sharing::Sharing;
use fabric::Channel;

pub struct EqualShare {
    incidence: Incidence,
    /// Channels whose count may differ from `settled`.
    dirty: Vec<Channel>,
    /// Count per channel when the rates were last settled.
    settled: Vec<u32>,
    /// Largest count on the route per slot; 0 for a flow that is new.
    largest: Vec<u32>,
    /// Flows to look at, each once.
    touched: Vec<u32>,
    is_touched: Vec<bool>,
    /// A node's largest rate, as a fraction of the channel bandwidth.
    limit: f64,
}

impl EqualShare {
    pub fn new(incidence: Incidence, channels: usize, slots: usize, limit: f64) -> Self {
        Self {
            incidence,
            dirty: Vec::new(),
            settled: vec![0; channels],
            largest: vec![0; slots],
            touched: Vec::new(),
            is_touched: vec![false; slots],
            limit,
        }
    }

    fn slowdown(&self, largest: u32) -> f64 {
        f64::from(largest.max(1)).max(1.0 / self.limit)
    }
}

impl Sharing for EqualShare {
    fn incidence(&self) -> &Incidence {
        &self.incidence
    }

    fn incidence_mut(&mut self) -> &mut Incidence {
        &mut self.incidence
    }

    fn add_slot(&mut self) {
        self.incidence.add_slot();
        self.largest.push(0);
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
        self.largest[slot as usize] = 0;
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
            for slot in self.incidence.flows(channel) {
                let largest = self.largest[slot as usize];
                let affected = if count > before { largest < count } else { largest == before };
                if affected && !self.is_touched[slot as usize] {
                    self.is_touched[slot as usize] = true;
                    self.touched.push(slot);
                }
            }
        }
        let mut touched = std::mem::take(&mut self.touched);
        for slot in touched.drain(..) {
            self.is_touched[slot as usize] = false;
            let counts = self.incidence.route(slot).map(|channel| self.incidence.count(channel));
            let largest = counts.max().unwrap_or(1);
            let before = std::mem::replace(&mut self.largest[slot as usize], largest);
            if before == 0 {
                changed(slot, self.slowdown(largest));
            } else if largest != before {
                changed(slot, self.slowdown(largest) / self.slowdown(before));
            }
        }
        self.touched = touched;
    }

    fn rate(&self, slot: u32) -> f64 {
        match self.largest[slot as usize] {
            0 => 1.0,
            largest => 1.0 / self.slowdown(largest),
        }
    }
}
