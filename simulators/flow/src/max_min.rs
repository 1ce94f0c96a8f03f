//! Max-min fairness (Bertsekas and Gallager, "Data Networks", section 6.5.2), kept up to date.
//!
//! Every channel has a level: the rate that its flows get unless another channel of their route
//! gives them less, `sum over flows of min(other limits, level) = bandwidth`; a channel that its
//! flows cannot fill has no level. A flow's rate is the least level on its route. When the level of
//! every channel agrees with those of all others, each flow has a full channel on which no flow is
//! faster: the allocation is max-min fair, and there is only one. A change is therefore carried
//! from channel to channel, beginning where flows came or went, until no level moves any more.

use crate::capacity::Capacity;
use crate::incidence::Incidence;
use crate::sharing::Sharing;
use fabric::Channel;
use std::collections::VecDeque;

/// Relative change of a level below which it counts as unchanged.
const TOLERANCE: f64 = 1e-12;

pub struct MaxMin<C> {
    incidence: Incidence,
    capacity: C,
    /// A node's largest rate, which narrows its injection channel.
    limit: f64,
    nodes: u32,
    level: Vec<f64>,
    rate: Vec<f64>,
    /// Rate per slot that the simulation knows; 0 for a flow that is new.
    settled: Vec<f64>,
    queue: VecDeque<Channel>,
    is_queued: Vec<bool>,
    touched: Vec<u32>,
    is_touched: Vec<bool>,
    /// Per flow of the channel at hand, the least level elsewhere on its route.
    elsewhere: Vec<f64>,
}

fn differ(a: f64, b: f64) -> bool {
    // Channels without a level have an infinite one.
    (a - b).abs() > TOLERANCE * a.min(b) || a.is_infinite() != b.is_infinite()
}

impl<C: Capacity> MaxMin<C> {
    pub fn new(
        incidence: Incidence,
        capacity: C,
        channels: usize,
        slots: usize,
        nodes: u32,
        limit: f64,
    ) -> Self {
        Self {
            incidence,
            capacity,
            limit,
            nodes,
            level: vec![f64::INFINITY; channels],
            rate: vec![1.0; slots],
            settled: vec![1.0; slots],
            queue: VecDeque::new(),
            is_queued: vec![false; channels],
            touched: Vec::new(),
            is_touched: vec![false; slots],
            elsewhere: Vec::new(),
        }
    }

    fn bandwidth(&self, channel: Channel) -> f64 {
        let own = self.capacity.of(channel);
        if channel < self.nodes { own.min(self.limit) } else { own }
    }

    fn touch(&mut self, slot: u32) {
        if !std::mem::replace(&mut self.is_touched[slot as usize], true) {
            self.touched.push(slot);
        }
    }

    /// The level of a channel by those of all others.
    fn fill(&mut self, channel: Channel) -> f64 {
        let bandwidth = self.bandwidth(channel);
        let count = self.incidence.count(channel);
        if count == 0 {
            return f64::INFINITY;
        }
        if count == 1 {
            return bandwidth;
        }
        self.elsewhere.clear();
        let own = self.level[channel as usize];
        for slot in self.incidence.flows(channel) {
            let rate = self.rate[slot as usize];
            if rate < own && differ(rate, own) {
                // Limited elsewhere, and `rate` is that limit.
                self.elsewhere.push(rate);
                continue;
            }
            let others = self.incidence.route(slot).filter(|&other| other != channel);
            let least =
                others.map(|other| self.level[other as usize]).fold(f64::INFINITY, f64::min);
            self.elsewhere.push(least);
        }
        let mut level = bandwidth / f64::from(count);
        loop {
            let (mut rest, mut free) = (bandwidth, 0_u32);
            for &least in &self.elsewhere {
                if least < level {
                    rest -= least;
                } else {
                    free += 1;
                }
            }
            if free == 0 {
                return f64::INFINITY;
            }
            let next = rest / f64::from(free);
            if next <= level {
                return level;
            }
            level = next;
        }
    }

    fn enqueue(&mut self, channel: Channel) {
        if !std::mem::replace(&mut self.is_queued[channel as usize], true) {
            self.queue.push_back(channel);
        }
    }

    /// Gives a channel a new level and carries the change to the other channels of its flows.
    fn raise_or_lower(&mut self, channel: Channel, level: f64) {
        let before = std::mem::replace(&mut self.level[channel as usize], level);
        let Self { incidence, level: levels, rate, queue, is_queued, touched, is_touched, .. } =
            self;
        for slot in incidence.flows(channel) {
            // A flow's rate is the least level on its route. Where that is another one before and after, it
            // stays.
            let own = rate[slot as usize];
            if own <= level && (level < before || own < before && differ(own, before)) {
                continue;
            }
            let least =
                incidence.route(slot).map(|c| levels[c as usize]).fold(f64::INFINITY, f64::min);
            if !differ(own, least) {
                continue;
            }
            rate[slot as usize] = least;
            if !std::mem::replace(&mut is_touched[slot as usize], true) {
                touched.push(slot);
            }
            for other in incidence.route(slot) {
                // A channel that is not full stays so when a flow slows down that it has counted.
                let slower = own.is_finite() && least < own;
                let stays = slower && levels[other as usize].is_infinite();
                let matters = other != channel && incidence.count(other) > 1 && !stays;
                if matters && !std::mem::replace(&mut is_queued[other as usize], true) {
                    queue.push_back(other);
                }
            }
        }
    }
}

impl<C: Capacity> Sharing for MaxMin<C> {
    fn incidence(&self) -> &Incidence {
        &self.incidence
    }

    fn incidence_mut(&mut self) -> &mut Incidence {
        &mut self.incidence
    }

    fn add_slot(&mut self) {
        self.incidence.add_slot();
        self.rate.push(1.0);
        self.settled.push(1.0);
        self.is_touched.push(false);
    }

    #[inline]
    fn add(&mut self, slot: u32, path: &[Channel], bytes: f64) {
        self.incidence.add(slot, path, bytes, |_, _| ());
        for &channel in path {
            self.enqueue(channel);
        }
        self.settled[slot as usize] = 0.0;
        self.rate[slot as usize] =
            if path.is_empty() { self.limit.min(1.0) } else { f64::INFINITY };
        self.touch(slot);
    }

    #[inline]
    fn remove(&mut self, slot: u32) {
        let Self { incidence, queue, is_queued, .. } = self;
        incidence.remove(slot, |channel, _| {
            if !std::mem::replace(&mut is_queued[channel as usize], true) {
                queue.push_back(channel);
            }
        });
    }

    #[inline]
    fn settle(&mut self, mut changed: impl FnMut(u32, f64)) {
        while let Some(channel) = self.queue.pop_front() {
            self.is_queued[channel as usize] = false;
            let level = self.fill(channel);
            if differ(self.level[channel as usize], level) {
                self.raise_or_lower(channel, level);
            }
        }
        let mut touched = std::mem::take(&mut self.touched);
        for slot in touched.drain(..) {
            self.is_touched[slot as usize] = false;
            let levels = self.incidence.route(slot).map(|channel| self.level[channel as usize]);
            let rate = levels.fold(f64::INFINITY, f64::min).min(self.rate[slot as usize]);
            self.rate[slot as usize] = rate;
            let before = std::mem::replace(&mut self.settled[slot as usize], rate);
            if before == 0.0 {
                changed(slot, 1.0 / rate);
            } else if before != rate {
                changed(slot, before / rate);
            }
        }
        self.touched = touched;
    }

    fn rate(&self, slot: u32) -> f64 {
        match self.settled[slot as usize] {
            0.0 => 1.0,
            rate => rate,
        }
    }
}
