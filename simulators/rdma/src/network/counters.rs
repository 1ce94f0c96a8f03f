//! What the network counts.

use super::{NONE, Network};
use crate::observer::NetworkObserver;
use fabric::Channel;
use mpi::time::Time;

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

    /// Bytes that left NICs, headers and padding to whole flits included.
    pub fn wire_bytes(&self) -> u64 {
        (0..self.wiring.nodes).map(|node| self.channel_bytes(node)).sum()
    }

    /// Bytes that a channel has carried or is carrying, headers and padding included.
    pub fn channel_bytes(&self, channel: Channel) -> u64 {
        self.channels[channel as usize].flits * self.parameters.packet.flit_bytes
    }

    pub fn channel_packets(&self, channel: Channel) -> u64 {
        self.channels[channel as usize].packets
    }

    /// How long a channel has been carrying something; all of a packet counts when it begins.
    pub fn channel_busy(&self, channel: Channel) -> Time {
        let bytes = self.channel_bytes(channel);
        mpi::time::of_bytes(bytes, self.parameters.bandwidth_bytes_per_s)
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
