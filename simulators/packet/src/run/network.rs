//! What a run needs of a simulation; the same for all routing functions.

use crate::Simulation;
use crate::measure::Meter;
use crate::routing::Routing;
use crate::traffic::Source;
use fabric::Channel;
use programs::LinkFlows;

/// A network with its sources and its meter.
pub trait Network {
    /// The next cycle to simulate.
    fn now(&self) -> u64;
    /// Simulates all cycles before `until`.
    fn advance(&mut self, until: u64);
    /// Cycles since a flit moved, while there are flits in the network.
    fn stalled_cycles(&self) -> u64;
    fn source(&self) -> &Source;
    fn meter(&self) -> &Meter;
    fn meter_mut(&mut self) -> &mut Meter;
    /// Flits carried so far by the channel behind each output port.
    fn flits_carried(&self) -> &[u64];
    /// Flits carried so far by the injection channel of each node.
    fn injection_flits(&self) -> &[u64];
    /// Counts from now on which pairs of nodes send flits over which channel.
    fn count_flows(&mut self, channels: &[Channel]);
    /// What was counted, if it was; nothing is counted from now on.
    fn take_flows(&mut self) -> Option<LinkFlows>;
    /// Flits in the buffer of virtual channel `vc` of input port `p`, at `p * virtual channels + vc`.
    fn occupancy(&self) -> Vec<u16>;
    /// Flits times the routers that they left.
    fn flit_router_visits(&self) -> u64;
}

impl<R: Routing> Network for Simulation<R, Source, Meter> {
    fn now(&self) -> u64 {
        Simulation::now(self)
    }

    fn advance(&mut self, until: u64) {
        Simulation::advance(self, until);
    }

    fn stalled_cycles(&self) -> u64 {
        Simulation::stalled_cycles(self)
    }

    fn source(&self) -> &Source {
        self.traffic()
    }

    fn meter(&self) -> &Meter {
        self.recorder()
    }

    fn meter_mut(&mut self) -> &mut Meter {
        self.recorder_mut()
    }

    fn flits_carried(&self) -> &[u64] {
        Simulation::flits_carried(self)
    }

    fn injection_flits(&self) -> &[u64] {
        Simulation::injection_flits(self)
    }

    fn count_flows(&mut self, channels: &[Channel]) {
        Simulation::count_flows(self, channels.to_vec());
    }

    fn take_flows(&mut self) -> Option<LinkFlows> {
        Simulation::take_flows(self)
    }

    fn occupancy(&self) -> Vec<u16> {
        Simulation::occupancy(self)
    }

    fn flit_router_visits(&self) -> u64 {
        Simulation::flit_router_visits(self)
    }
}
