//! What a run needs of a simulation; the same for all routing functions.

use crate::measure::Meter;
use crate::traffic::Source;

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
    /// Flits in the buffer of a virtual channel of an input port.
    fn occupancy(&self, port: usize, vc: usize) -> u32;
    /// Flits times the routers that they left.
    fn flit_router_visits(&self) -> u64;
}
