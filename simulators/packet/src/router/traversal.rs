//! ST: the winners' flits cross the switch to their channels, credits go back.

use super::{Routers, Stage};
use crate::channels::{Channels, Far, ROUTERS};
use crate::packets::Packets;
use crate::routing::Routing;

impl<R: Routing> Routers<R> {
    /// Sends a flit of every virtual channel that won the switch.
    #[inline(always)]
    pub(super) fn traverse(
        &mut self,
        router: usize,
        now: u64,
        channels: &mut Channels,
        packets: &mut Packets,
    ) {
        let first_port = self.ports.numbers.first(router) as usize;
        let first = first_port * self.vcs;
        if self.is_large {
            // All flits are read once before the first is sent: each is a cache miss, and so they overlap.
            let winners = self.switch.winners.iter();
            self.leaving.extend(winners.map(|&local| self.buffers.front(first + local as usize)));
        }
        for index in 0..self.switch.winners.len() {
            let local = self.switch.winners[index] as usize;
            self.send(router, first_port, local, now, channels, packets);
        }
        self.switch.winners.clear();
        self.leaving.clear();
    }

    #[inline(always)]
    fn send(
        &mut self,
        router: usize,
        first_port: usize,
        local: usize,
        now: u64,
        channels: &mut Channels,
        packets: &mut Packets,
    ) {
        let vc = first_port * self.vcs + local;
        let state = self.inputs[vc];
        let (port, out_vc) = (first_port + usize::from(state.port), usize::from(state.out_vc));
        let (flit, more) = self.buffers.pop(vc);
        self.carried[port] += 1;
        if let Some(flows) = &mut self.flows {
            flows.left(port, packets.get(flit.packet()));
        }
        let credits = self.outputs.send(port, out_vc, flit.is_tail());
        let output = self.ports.outputs[port];
        if flit.is_head() {
            self.head_leaves(flit.packet(), output.to, packets);
        }
        let at = now + u64::from(output.flit_cycles);
        channels.send(at, output.to, out_vc as u32, flit);
        self.return_credit(first_port, local, now, channels);
        if !flit.is_tail() && more && credits > 0 {
            self.keep_requesting(router, local, now);
            return;
        }
        self.requesting.remove(router, local);
        if flit.is_tail() {
            self.inputs[vc].stage = Stage::Idle;
            if more {
                let next = self.buffers.front(vc).packet();
                self.begin(router, local, next, now + 1, packets);
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
            self.request_switch(router, local, now + 1);
        } else if self.options.speculative {
            // It may have won by a request of one cycle.
            self.request_switch(router, local, now + 1);
        }
    }

    #[inline]
    fn head_leaves(&mut self, packet: u32, to: Far, packets: &mut Packets) {
        packets.get(packet).routers += 1;
        if self.options.routing_delay_cycles == 0 && to.calendar as usize == ROUTERS {
            self.look_ahead(to.number, packet, packets);
        }
    }

    #[inline]
    fn return_credit(&self, first_port: usize, local: usize, now: u64, channels: &mut Channels) {
        let number = usize::from(self.port_of[local]);
        let vc = (local - number * self.vcs) as u32;
        let input = self.ports.inputs[first_port + number];
        let at = now + u64::from(input.credit_cycles);
        channels.return_credit(at, input.from, vc);
    }
}
