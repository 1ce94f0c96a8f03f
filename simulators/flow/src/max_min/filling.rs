//! The level of a shared channel by the levels of all others.
//!
//! A flow that is limited elsewhere has its rate for that limit. Of the others the least level elsewhere is
//! looked for only when the channel's own level rises.

use super::MaxMin;
use crate::capacity::Capacity;
use crate::level::{differ, filled, filled_by_two, lesser};
use fabric::Channel;

impl<C: Capacity> MaxMin<C> {
    /// The least level elsewhere on a flow's route.
    #[inline(never)]
    fn least_elsewhere(&self, slot: u32, channel: Channel) -> f64 {
        let others = self.incidence.route(slot).filter(|&other| other != channel);
        others.map(|other| self.level[other as usize]).fold(f64::INFINITY, lesser)
    }

    /// The same as far as it matters while the channel's level does not rise. A flow that is limited here
    /// has no less elsewhere: infinity stands for that.
    #[inline]
    fn less_elsewhere(&self, slot: u32, channel: Channel, own: f64) -> f64 {
        let rate = self.rate[slot as usize];
        if rate < own && differ(rate, own) {
            rate
        } else if rate == f64::INFINITY {
            self.least_elsewhere(slot, channel)
        } else {
            f64::INFINITY
        }
    }

    /// The level of a channel that flows share, by those of all others.
    #[inline]
    pub(super) fn fill(&mut self, channel: Channel, count: u32) -> f64 {
        if count == 2 { self.fill_by_two(channel) } else { self.fill_by_many(channel, count) }
    }

    fn fill_by_two(&self, channel: Channel) -> f64 {
        let (bandwidth, own) = (self.bandwidth(channel), self.level[channel as usize]);
        let (one, other) = self.incidence.pair(channel);
        let mut less = self.less_elsewhere(one, channel, own);
        let mut less_of_other = self.less_elsewhere(other, channel, own);
        let level = filled_by_two(bandwidth, less, less_of_other);
        if level <= own || !differ(level, own) {
            return level;
        }
        if less == f64::INFINITY {
            less = self.least_elsewhere(one, channel);
        }
        if less_of_other == f64::INFINITY {
            less_of_other = self.least_elsewhere(other, channel);
        }
        filled_by_two(bandwidth, less, less_of_other)
    }

    fn fill_by_many(&mut self, channel: Channel, count: u32) -> f64 {
        let (bandwidth, own) = (self.bandwidth(channel), self.level[channel as usize]);
        let mut all = std::mem::take(&mut self.elsewhere);
        if all.len() < count as usize {
            all.resize(count as usize, 0.0);
        }
        let elsewhere = &mut all[..count as usize];
        for (less, slot) in elsewhere.iter_mut().zip(self.incidence.flows(channel)) {
            *less = self.less_elsewhere(slot, channel, own);
        }
        let mut level = filled(bandwidth, elsewhere);
        if level > own && differ(level, own) {
            for (less, slot) in elsewhere.iter_mut().zip(self.incidence.flows(channel)) {
                if *less == f64::INFINITY {
                    *less = self.least_elsewhere(slot, channel);
                }
            }
            level = filled(bandwidth, elsewhere);
        }
        self.elsewhere = all;
        level
    }
}
