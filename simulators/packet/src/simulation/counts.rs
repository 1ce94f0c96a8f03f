//! What a simulation has counted.

use super::Simulation;
use crate::router::Flows;
use crate::routing::Routing;
use fabric::Channel;
use programs::LinkFlows;

impl<R: Routing, T, M> Simulation<R, T, M> {
    /// Per port of the wiring: flits that its output has sent.
    pub fn flits_carried(&self) -> &[u64] {
        self.routers.carried()
    }

    /// Per node: flits that its source has sent.
    pub fn injection_flits(&self) -> &[u64] {
        &self.injection_flits
    }

    /// Counts from now on which pairs of nodes send flits over which channel; `channels` has that behind
    /// each port of the wiring.
    pub fn count_flows(&mut self, channels: Vec<Channel>) {
        self.routers.flows = Some(Flows::new(channels));
    }

    /// What was counted, if it was; nothing is counted from now on.
    pub fn take_flows(&mut self) -> Option<LinkFlows> {
        self.routers.flows.take().map(|flows| flows.counted)
    }

    /// Flits in the input buffer of virtual channel `vc` of port `p` of the wiring, at `p * virtual
    /// channels + vc`.
    pub fn occupancy(&self) -> Vec<u16> {
        self.routers.occupancy().collect()
    }

    /// Flits that routers have sent: the sum over all flits of the routers they have left.
    pub fn flit_router_visits(&self) -> u64 {
        self.routers.visits()
    }

    /// Whether every buffer is known to be empty on the other side of its channel: so in a network
    /// that is drained and has had the time to show it.
    pub fn credits_are_restored(&self) -> bool {
        self.routers.credits_are_restored() && self.sources.credits_are_restored()
    }
}
