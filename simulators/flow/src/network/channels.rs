//! How long channels carry something.

use crate::incidence::Incidence;
use fabric::Channel;
use mpi::time::Time;

#[derive(Debug, Clone, Copy, Default)]
struct State {
    since: Time,
    total: Time,
}

/// Time in which each channel carried at least one flow.
pub(super) struct Busy(Vec<State>);

impl Busy {
    pub fn new(channels: usize) -> Self {
        Self(vec![State::default(); channels])
    }

    /// A flow is about to begin.
    #[inline]
    pub fn begin(&mut self, path: &[Channel], flows: &Incidence, now: Time) {
        for &channel in path {
            if flows.count(channel) == 0 {
                self.0[channel as usize].since = now;
            }
        }
    }

    /// A slot's flow is about to end.
    #[inline]
    pub fn end(&mut self, slot: u32, flows: &Incidence, now: Time) {
        for channel in flows.route(slot) {
            if flows.count(channel) == 1 {
                let state = &mut self.0[channel as usize];
                state.total += now - state.since;
            }
        }
    }

    /// Up to `now`, if the channel carries something now.
    pub fn until(&self, channel: Channel, now: Option<Time>) -> Time {
        let state = self.0[channel as usize];
        state.total + now.map_or(0, |now| now - state.since)
    }

    /// Up to the last end of a flow.
    pub fn total(&self, channel: Channel) -> Time {
        self.0[channel as usize].total
    }
}
