//! What lists and traffic need beside what programs do: a limit of rates, and what is carried until now.

use super::{Network, PICOSECONDS_PER_S};
use crate::rule::Rule;
use crate::sharing::{Model, Sharing};
use fabric::Channel;
use mpi::time::Time;
use programs::NetworkObserver;

impl<O: NetworkObserver> Network<O> {
    /// From now on nodes send at most at this share of the bandwidth; before anything is sent.
    pub fn limit(&mut self, model: Model, rate: f64) {
        self.rule = Rule::new(model, &self.fabric, &self.links, rate);
    }

    /// Bytes that a channel has carried until now, also of transfers that have not left.
    pub fn carried_bytes(&self, channel: Channel) -> f64 {
        let flows = self.rule.incidence();
        let bytes_per_ps = self.bandwidth_bytes_per_s / PICOSECONDS_PER_S;
        let unsent =
            |slot| (self.due.at(slot) - self.now as f64) * self.rule.rate(slot) * bytes_per_ps;
        flows.bytes(channel) - flows.flows(channel).map(unsent).sum::<f64>()
    }

    /// How long a channel has carried something until now.
    pub fn busy_until_now(&self, channel: Channel) -> Time {
        let is_busy = self.rule.incidence().count(channel) > 0;
        self.busy.until(channel, is_busy.then_some(self.now))
    }
}
