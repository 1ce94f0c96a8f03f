//! Which pairs of nodes send flits over each channel, for whoever asks.

use crate::packets::InFlight;
use fabric::Channel;
use programs::LinkFlows;

/// Counts flits by channel and pair.
pub struct Flows {
    /// Channel behind each output port.
    channels: Vec<Channel>,
    pub counted: LinkFlows,
}

impl Flows {
    pub fn new(channels: Vec<Channel>) -> Self {
        Self { channels, counted: LinkFlows::default() }
    }

    /// A flit of the packet leaves an output port.
    pub fn left(&mut self, port: usize, packet: &InFlight) {
        self.on(self.channels[port], packet);
    }

    /// A flit of the packet is on a channel.
    pub fn on(&mut self, channel: Channel, packet: &InFlight) {
        self.counted.add(channel, (packet.header.src, packet.header.dst), 1);
    }
}
