//! What the observer gets of flows; never called without one.

use crate::rule::Rule;
use crate::sharing::Sharing;
use fabric::Channel;
use mpi::time::Time;
use programs::{Carried, NetworkObserver};

/// What a channel carries.
#[derive(Debug, Clone, Copy, Default)]
struct Carries {
    bytes_per_ps: f64,
    /// At its full rate.
    ps_per_byte: f64,
    since: Time,
    /// Until then, and how much of it was reported.
    bytes: f64,
    reported: u64,
}

/// What is kept for the observer only.
pub(super) struct Watched {
    channels: Vec<Carries>,
    /// Rate of each slot's flow.
    rates: Vec<f64>,
    /// Slots whose rates have changed.
    pub changed: Vec<u32>,
}

impl Watched {
    /// For channels that take so many picoseconds for a byte.
    pub fn new(channels: impl Iterator<Item = f64>) -> Self {
        let carries = |ps_per_byte| Carries { ps_per_byte, ..Carries::default() };
        Self { channels: channels.map(carries).collect(), rates: Vec::new(), changed: Vec::new() }
    }

    pub fn begin(&mut self, slot: u32) {
        if self.rates.len() <= slot as usize {
            self.rates.resize(slot as usize + 1, 0.0);
        }
        self.rates[slot as usize] = 0.0;
    }

    /// Flows have new rates from now on.
    pub fn settle(
        &mut self,
        rule: &Rule,
        bytes_per_ps: f64,
        now: Time,
        observer: &mut impl NetworkObserver,
    ) {
        let mut changed = std::mem::take(&mut self.changed);
        for slot in changed.drain(..) {
            let rate = rule.rate(slot) * bytes_per_ps;
            let before = std::mem::replace(&mut self.rates[slot as usize], rate);
            for channel in rule.incidence().route(slot) {
                self.report(channel, now, observer);
                self.channels[channel as usize].bytes_per_ps += rate - before;
            }
        }
        self.changed = changed;
    }

    /// A slot's flow is about to end.
    pub fn end(&mut self, slot: u32, rule: &Rule, now: Time, observer: &mut impl NetworkObserver) {
        let rate = self.rates[slot as usize];
        for channel in rule.incidence().route(slot) {
            let is_last = rule.incidence().count(channel) == 1;
            if is_last {
                // All flows have ended: what was carried is a whole number again.
                let carries = &mut self.channels[channel as usize];
                let passed = (now - carries.since) as f64 * carries.bytes_per_ps;
                carries.bytes = (carries.bytes + passed).round();
                self.observe(channel, now, observer);
                self.channels[channel as usize].bytes_per_ps = 0.0;
            } else {
                self.report(channel, now, observer);
                self.channels[channel as usize].bytes_per_ps -= rate;
            }
        }
    }

    /// Reports what a channel has carried at its present rate.
    fn report(&mut self, channel: Channel, now: Time, observer: &mut impl NetworkObserver) {
        let carries = &mut self.channels[channel as usize];
        carries.bytes += (now - carries.since) as f64 * carries.bytes_per_ps;
        self.observe(channel, now, observer);
    }

    fn observe(&mut self, channel: Channel, now: Time, observer: &mut impl NetworkObserver) {
        let carries = &mut self.channels[channel as usize];
        let (since, whole) = (std::mem::replace(&mut carries.since, now), carries.bytes as u64);
        let bytes = whole.saturating_sub(carries.reported);
        carries.reported += bytes;
        if carries.bytes_per_ps > 0.0 && now > since {
            let full_ps = (now - since) as f64 * carries.bytes_per_ps * carries.ps_per_byte;
            let busy = (full_ps.round() as Time).min(now - since);
            observer.flows_on_channel(channel, Carried { bytes, busy }, since, now);
        }
    }
}
