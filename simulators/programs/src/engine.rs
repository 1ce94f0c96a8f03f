//! What an engine gives so that programs run on its network.

use crate::measure::Buffers;
use crate::observer::NetworkObserver;
use crate::parameters::Parameters;
use ::engine::Filled;
use fabric::{Channel, Fabric, FabricError, TopologySpec};
use mpi::Transport;
use mpi::time::Time;

/// A network that counts what it carries.
pub trait SimulatedNetwork: Transport {
    type Observer: NetworkObserver;

    fn observer(&self) -> &Self::Observer;
    fn observer_mut(&mut self) -> &mut Self::Observer;
    /// Reports to the observer what it has not reported yet. Nothing has happened after `end`.
    fn finish(&mut self, _end: Time) {}

    /// Bytes that a channel has carried, headers and padding included.
    fn channel_bytes(&self, channel: Channel) -> u64;
    /// How long a channel has been carrying something.
    fn channel_busy(&self, channel: Channel) -> Time;
    /// Further metrics of this network alone: counts by name.
    fn counts(&self) -> Vec<(&'static str, u64)>;
}

/// An engine, with what it reads of a point for itself.
pub trait Engine {
    type Network<O: NetworkObserver>: SimulatedNetwork<Observer = O>;

    /// Its name in specs and shards.
    const NAME: &'static str;

    /// The tables that its points may ask for.
    fn tables() -> Vec<Filled>;

    /// The topology of a point. Unless the routers choose on the way, its routes must be static.
    ///
    /// # Errors
    /// Says what the topology cannot be.
    fn fabric(&self, topology: &TopologySpec, seed: u64) -> Result<Fabric, FabricError> {
        topology.build_channels(seed)
    }

    /// A network without traffic. `seed` decides what the network draws.
    ///
    /// # Errors
    /// Says which parameter this network cannot have.
    fn network<O: NetworkObserver>(
        &self,
        fabric: &Fabric,
        parameters: &Parameters,
        seed: u64,
        observer: O,
    ) -> Result<Self::Network<O>, String>;

    /// Buffers of its routers, where each channel has some and this crate writes their tables.
    fn buffers(&self, _: &Parameters) -> Option<Buffers> {
        None
    }
}
