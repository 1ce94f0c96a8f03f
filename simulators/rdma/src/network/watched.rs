//! What the observer gets; never called without one.

use super::Network;
use mpi::time::{NEVER, Time};
use programs::NetworkObserver;

/// What is kept for the observer only.
pub(crate) struct Watched {
    /// By number of packet: when its head left the NIC.
    entered: Vec<Time>,
    /// By buffer: bytes in it.
    held_bytes: Vec<u64>,
}

impl Watched {
    pub fn new(vcs: usize) -> Self {
        Self { entered: Vec::new(), held_bytes: vec![0; vcs] }
    }

    pub fn entered(&self, packet: u32) -> Time {
        self.entered[packet as usize]
    }
}

impl<O: NetworkObserver> Network<O> {
    /// A packet's head leaves a NIC.
    pub(crate) fn observe_injection(&mut self, node: u32, packet: u32, end: Time) {
        let entered = &mut self.watched.entered;
        if entered.len() <= packet as usize {
            entered.resize(packet as usize + 1, 0);
        }
        entered[packet as usize] = self.now;
        let bytes = self.wire_bytes_of(packet);
        self.observer.packet_on_channel(node, bytes, self.now, end);
        self.observe_flow(node, packet);
    }

    /// A packet enters or leaves a buffer; it leaves with its head.
    pub(super) fn observe_buffer(&mut self, place: u32, packet: u32, enters: bool) {
        let bytes = self.wire_bytes_of(packet);
        let channel = self.vcs[place as usize].channel;
        let number = place - self.port(place);
        let held = &mut self.watched.held_bytes[place as usize];
        *held = if enters { *held + bytes } else { *held - bytes };
        self.observer.buffer(channel, number, self.now, *held);
    }

    /// The first packet of a buffer gets the switch, and is on the channel from `sent` on.
    pub(super) fn observe_grant(&mut self, place: u32, output: u32, granted: Time, sent: Time) {
        let buffer = self.vcs[place as usize];
        let ready = buffer.when + self.timing.vc_allocation;
        if granted > ready {
            self.observer.blocked(output, ready, granted);
        }
        self.observer.taken(output, self.first_ready(output).min(ready), granted);
        let end = sent + self.flits_on(output, self.packets.get(buffer.first).flits());
        self.observer.packet_on_channel(output, self.wire_bytes_of(buffer.first), sent, end);
        self.observe_flow(output, buffer.first);
        self.observe_buffer(place, buffer.first, false);
    }

    /// A packet crosses a channel.
    fn observe_flow(&mut self, channel: u32, packet: u32) {
        let transfer = self.transfers.get(self.packets.get(packet).transfer);
        let (ends, bytes) = ((transfer.src, transfer.dst), self.wire_bytes_of(packet));
        self.observer.flow_on_channel(channel, ends, bytes);
    }

    /// When the first of the heads that still wait for an output was ready.
    fn first_ready(&self, output: u32) -> Time {
        let first_vc = self.channels[output as usize].first_input_vc;
        let mut first = NEVER;
        let mut look = |bit| {
            let ready = self.vcs[(first_vc + bit) as usize].when;
            first = first.min(ready + self.timing.vc_allocation);
            false
        };
        self.find_holding(output, 0, &mut look);
        self.find_waiting(output, 0, &mut look);
        first
    }

    fn wire_bytes_of(&self, packet: u32) -> u64 {
        u64::from(self.packets.get(packet).flits()) * self.parameters.packet.flit_bytes
    }
}
