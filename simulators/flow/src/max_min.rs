//! Max-min fairness (Bertsekas and Gallager, "Data Networks", section 6.5.2), kept up to date.
//!
//! Every channel has a level: the rate that its flows get unless another channel of their route
//! gives them less, `sum over flows of min(other limits, level) = bandwidth`; a channel that its
//! flows cannot fill has no level. A flow's rate is the least level on its route. When the level of
//! every channel agrees with those of all others, each flow has a full channel on which no flow is
//! faster: the allocation is max-min fair, and there is only one. A change is therefore carried
//! from channel to channel, beginning where flows came or went, until no level moves any more.
//!
//! Most of the time goes into looking at channels, so those are left out that a change cannot reach:
//! a channel with at most one flow, whose level is its bandwidth, and one that is not full, where a flow
//! slows down or leaves.

mod filling;

use crate::capacity::Capacity;
use crate::incidence::Incidence;
use crate::level::{differ, lesser};
use crate::sharing::Sharing;
use fabric::Channel;

/// Why a change of a flow on a channel need not lead to it: it waits in the queue or is at hand.
const QUEUED: u8 = 1;
/// It has at most one flow, so its level does not depend on others.
const UNSHARED: u8 = 2;
/// It has no level. A flow that slows down cannot give it one.
const NOT_FULL: u8 = 4;

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
    /// Channels to look at; [`Sharing::settle`] empties it.
    queue: Vec<Channel>,
    /// Per channel, reasons not to look at it.
    reasons: Vec<u8>,
    touched: Vec<u32>,
    is_touched: Vec<bool>,
    /// Per flow, whether its rate may be above the least level of its route, by less than the tolerance.
    is_loose: Vec<bool>,
    /// Per flow of the channel at hand, the least level elsewhere on its route.
    elsewhere: Vec<f64>,
}

/// Of a channel; `limit` is that of nodes, whose injection channels are the first ones.
#[inline]
fn bandwidth(capacity: &impl Capacity, (limit, nodes): (f64, u32), channel: Channel) -> f64 {
    let own = capacity.of(channel);
    if channel < nodes { own.min(limit) } else { own }
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
            queue: Vec::new(),
            reasons: vec![UNSHARED | NOT_FULL; channels],
            touched: Vec::new(),
            is_touched: vec![false; slots],
            is_loose: vec![true; slots],
            elsewhere: Vec::new(),
        }
    }

    fn bandwidth(&self, channel: Channel) -> f64 {
        bandwidth(&self.capacity, (self.limit, self.nodes), channel)
    }

    fn touch(&mut self, slot: u32) {
        if !std::mem::replace(&mut self.is_touched[slot as usize], true) {
            self.touched.push(slot);
        }
    }

    /// Gives a flow the least level on its route after one has changed, and looks at its other channels.
    fn follow(&mut self, slot: u32, level: f64) {
        let Self { incidence, level: levels, rate, queue, reasons, touched, .. } = self;
        let (is_touched, is_loose) = (&mut self.is_touched, &mut self.is_loose);
        let own = rate[slot as usize];
        // A level that falls below a flow's rate is the least one: the rate is that of the others.
        let least = if level < own && own < f64::INFINITY {
            level
        } else {
            incidence.route(slot).map(|c| levels[c as usize]).fold(f64::INFINITY, lesser)
        };
        is_loose[slot as usize] = least != own;
        if !differ(own, least) {
            return;
        }
        is_loose[slot as usize] = false;
        rate[slot as usize] = least;
        if !std::mem::replace(&mut is_touched[slot as usize], true) {
            touched.push(slot);
        }
        // A channel that is not full has counted a flow that slows down, unless the flow is new.
        let is_slower = least < own && own < f64::INFINITY;
        let reason = if is_slower { QUEUED | UNSHARED | NOT_FULL } else { QUEUED | UNSHARED };
        for other in incidence.route(slot) {
            let reasons = &mut reasons[other as usize];
            if *reasons & reason == 0 {
                *reasons |= QUEUED;
                queue.push(other);
            }
        }
    }

    /// Carries a new level of the channel at hand to its flows.
    #[inline]
    fn carry(&mut self, channel: Channel, before: f64, level: f64) {
        let mut next = self.incidence.first(channel);
        while let Some((slot, after)) = self.incidence.crossing(next) {
            // A flow's rate is the least level on its route. Where that is another one before and after, it
            // stays.
            let own = self.rate[slot as usize];
            if own > level || level > before && !(own < before && differ(own, before)) {
                self.follow(slot, level);
            }
            next = after;
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
        self.is_loose.push(true);
    }

    #[inline]
    fn add(&mut self, slot: u32, path: &[Channel], bytes: f64) {
        for &channel in path {
            if self.incidence.count(channel) == 0 {
                self.level[channel as usize] = self.bandwidth(channel);
            }
        }
        let Self { incidence, queue, reasons, .. } = self;
        incidence.add(slot, path, bytes, |channel, before| {
            let reasons = &mut reasons[channel as usize];
            match before {
                0 => *reasons &= !NOT_FULL,
                1 => *reasons &= !UNSHARED,
                _ => {}
            }
            if before > 0 && *reasons & QUEUED == 0 {
                *reasons |= QUEUED;
                queue.push(channel);
            }
        });
        self.settled[slot as usize] = 0.0;
        self.is_loose[slot as usize] = true;
        self.rate[slot as usize] =
            if path.is_empty() { self.limit.min(1.0) } else { f64::INFINITY };
        self.touch(slot);
    }

    #[inline]
    fn remove(&mut self, slot: u32) {
        let Self { incidence, level, queue, reasons, capacity, limit, nodes, .. } = self;
        incidence.remove(slot, |channel, before| {
            let (level, reasons) = (&mut level[channel as usize], &mut reasons[channel as usize]);
            let waits = *reasons & QUEUED != 0;
            // The others fill a channel no more than they did with this flow.
            let was_full = waits || *reasons & NOT_FULL == 0;
            match before {
                1 => {
                    *level = f64::INFINITY;
                    *reasons |= NOT_FULL;
                    return;
                }
                2 => {
                    *reasons |= UNSHARED;
                    if !was_full {
                        *reasons &= !NOT_FULL;
                        *level = bandwidth(capacity, (*limit, *nodes), channel);
                    }
                }
                _ => {}
            }
            if was_full && !waits {
                *reasons |= QUEUED;
                queue.push(channel);
            }
        });
    }

    #[inline]
    fn settle(&mut self, mut changed: impl FnMut(u32, f64)) {
        let mut next = 0;
        while let Some(&channel) = self.queue.get(next) {
            next += 1;
            let before = self.level[channel as usize];
            let level = match self.incidence.count(channel) {
                0 => f64::INFINITY,
                1 => self.bandwidth(channel),
                count => self.fill(channel, count),
            };
            let reasons = &mut self.reasons[channel as usize];
            if differ(before, level) {
                self.level[channel as usize] = level;
                *reasons = (*reasons & UNSHARED) | QUEUED;
                if level == f64::INFINITY {
                    *reasons |= NOT_FULL;
                }
                self.carry(channel, before, level);
            }
            self.reasons[channel as usize] &= !QUEUED;
        }
        self.queue.clear();
        let mut touched = std::mem::take(&mut self.touched);
        for slot in touched.drain(..) {
            self.is_touched[slot as usize] = false;
            let mut rate = self.rate[slot as usize];
            if std::mem::replace(&mut self.is_loose[slot as usize], false) {
                let levels = self.incidence.route(slot).map(|channel| self.level[channel as usize]);
                rate = levels.fold(rate, lesser);
                self.rate[slot as usize] = rate;
            }
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
