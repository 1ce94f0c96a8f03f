//! What the network counts.

use super::{NONE, Network};
use fabric::Channel;
use mpi::time::Time;
use programs::{NetworkObserver, SimulatedNetwork};

/// Metrics of this network alone.
pub const COUNTS: [&str; 4] = ["packets", "packet_hops", "packets_reordered", "messages_held"];

impl<O: NetworkObserver> SimulatedNetwork for Network<O> {
    type Observer = O;

    fn observer(&self) -> &O {
        &self.observer
    }

    fn observer_mut(&mut self) -> &mut O {
        &mut self.observer
    }

    fn channel_bytes(&self, channel: Channel) -> u64 {
        self.channels[channel as usize].flits * self.parameters.packet.flit_bytes
    }

    /// All of a packet counts when it begins.
    fn channel_busy(&self, channel: Channel) -> Time {
        self.parameters.time_of_bytes(channel, self.channel_bytes(channel))
    }

    fn counts(&self) -> Vec<(&'static str, u64)> {
        let counts = [self.packets(), self.packet_hops(), self.reordered, self.held];
        COUNTS.into_iter().zip(counts).collect()
    }
}

impl<O: NetworkObserver> Network<O> {
    /// Packets that left a NIC.
    pub fn packets(&self) -> u64 {
        self.injected
    }

    /// Packets times the routers that they left.
    pub fn packet_hops(&self) -> u64 {
        let behind_routers = &self.channels[self.wiring.nodes as usize..];
        behind_routers.iter().map(|channel| channel.packets).sum()
    }

    pub fn channel_packets(&self, channel: Channel) -> u64 {
        self.channels[channel as usize].packets
    }

    /// Whether all buffers are empty and known to be so: as it must be when nothing is under way and
    /// the last credits have had the time to come back.
    pub fn is_restored(&self) -> bool {
        let (now, timing) = (self.now, self.timing);
        self.packets.under_way == 0
            && self
                .vcs
                .iter()
                .all(|vc| vc.first == NONE && vc.is_empty(now, &timing) && vc.free_at <= now)
    }

    pub(crate) fn count(&mut self, channel: Channel, flits: u32) {
        let state = &mut self.channels[channel as usize];
        state.flits += u64::from(flits);
        state.packets += 1;
    }

    pub(crate) fn count_injected(&mut self) {
        self.injected += 1;
    }
}
