//! ST: the winners' flits cross the switch to their channels, credits go back.

use super::{Routers, Stage};
use crate::channels::{Arrival, Channels, Credit, Ejection, SourceCredit};
use crate::packets::{Flit, Packets};
use crate::routing::Routing;
use crate::wiring::Peer;

impl<R: Routing> Routers<R> {
    /// Sends a flit of every virtual channel that won the switch.
    #[inline]
    pub(super) fn traverse(
        &mut self,
        router: usize,
        now: u64,
        channels: &mut Channels,
        packets: &mut Packets,
    ) {
        let first = self.first_vc(router);
        if let [local] = self.switch.winners[..] {
            let flit = self.buffers.front(first + local as usize);
            self.send(router, local as usize, flit, now, channels, packets);
            self.switch.winners.clear();
            return;
        }
        // All flits are read before the first is sent: in a large network each is a cache miss, and
        // so they overlap.
        let winners = self.switch.winners.iter();
        self.leaving.extend(winners.map(|&local| self.buffers.front(first + local as usize)));
        for index in 0..self.leaving.len() {
            let local = self.switch.winners[index] as usize;
            self.send(router, local, self.leaving[index], now, channels, packets);
        }
        self.switch.winners.clear();
        self.leaving.clear();
    }

    #[inline]
    fn send(
        &mut self,
        router: usize,
        local: usize,
        flit: Flit,
        now: u64,
        channels: &mut Channels,
        packets: &mut Packets,
    ) {
        let first_port = self.ports.numbers.first(router) as usize;
        let vc = first_port * self.vcs + local;
        let state = self.inputs[vc];
        let (port, out_vc) = (first_port + usize::from(state.port), usize::from(state.out_vc));
        self.buffers.pop(vc);
        self.visits += 1;
        self.carried[port] += 1;
        let credits = self.outputs.send(port, out_vc, flit.is_tail());
        let output = self.ports.outputs[port];
        if flit.is_head() {
            self.head_leaves(flit.packet(), output.to, packets);
        }
        let at = now + u64::from(output.flit_cycles);
        let vc_number = out_vc as u32;
        match output.to {
            Peer::Port(to) => channels.flits.put(at, Arrival { port: to, vc: vc_number, flit }),
            Peer::Node(node) => channels.ejections.put(at, Ejection { node, vc: vc_number, flit }),
            Peer::Nothing => unreachable!("the routing function chose a port without a channel"),
        }
        self.return_credit(first_port, local, now, channels);
        let more = self.buffers.len(vc) > 0;
        if !flit.is_tail() && more && credits > 0 {
            self.keep_requesting(router, local, now);
            return;
        }
        self.requesting.remove(router, local);
        if flit.is_tail() {
            self.inputs[vc].stage = Stage::Idle;
            if more {
                self.begin(router, local, now + 1, packets);
            }
        }
    }

    #[inline]
    fn keep_requesting(&mut self, router: usize, local: usize, now: u64) {
        if self.options.hold_switch_for_packet {
            self.requesting.insert(router, local);
            self.hold(router, local);
            return;
        }
        if self.options.switch_allocation_delay_cycles > 1 {
            self.requesting.remove(router, local);
        }
        self.request_switch(router, local, now + 1);
    }

    #[inline]
    fn head_leaves(&mut self, packet: u32, to: Peer, packets: &mut Packets) {
        packets.get(packet).routers += 1;
        if let (0, Peer::Port(next)) = (self.options.routing_delay_cycles, to) {
            self.look_ahead(next, packet, packets);
        }
    }

    #[inline]
    fn return_credit(&self, first_port: usize, local: usize, now: u64, channels: &mut Channels) {
        let number = usize::from(self.port_of[local]);
        let vc = (local - number * self.vcs) as u32;
        let input = self.ports.inputs[first_port + number];
        let at = now + u64::from(input.credit_cycles);
        match input.from {
            Peer::Port(port) => channels.credits.put(at, Credit { port, vc }),
            Peer::Node(node) => channels.source_credits.put(at, SourceCredit { node, vc }),
            Peer::Nothing => unreachable!("a flit came from a port without a channel"),
        }
    }
}
