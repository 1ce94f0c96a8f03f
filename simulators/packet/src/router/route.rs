//! RC: route computation.

use super::outputs::OutputsOf;
use super::{Routers, Stage};
use crate::packets::Packets;
use crate::routing::{Routing, Way};
use fabric::bits;

impl<R: Routing> Routers<R> {
    /// The packet at the front of a virtual channel begins its stay in the cycle `from`.
    #[inline(always)]
    pub(super) fn begin(
        &mut self,
        router: usize,
        local: usize,
        packet: u32,
        from: u64,
        packets: &mut Packets,
    ) {
        let delay = self.options.routing_delay_cycles;
        if delay == 0 {
            let way = packets.get(packet).ahead;
            self.go(router, local, way, from);
            return;
        }
        let vc = self.first_vc(router) + local;
        self.inputs[vc].stage = Stage::Routing;
        if delay == 1 {
            self.routed.push((router as u32, local as u32, packet));
        } else {
            self.start_timer(Stage::Routing, router, local, from + u64::from(delay) - 1);
        }
    }

    /// Routes the packets whose turn it is; they wait for a virtual channel from the next cycle on.
    pub(super) fn compute_routes(&mut self, now: u64, packets: &mut Packets) {
        for index in 0..self.routed.len() {
            let (router, local, packet) = self.routed[index];
            let (router, local) = (router as usize, local as usize);
            let way = self.way(router, self.port_of[local], packet, packets);
            self.go(router, local, way, now + 1);
        }
        self.routed.clear();
    }

    /// Routes a packet for the router behind an input port before it gets there.
    #[inline]
    pub fn look_ahead(&mut self, port: u32, packet: u32, packets: &mut Packets) {
        let input = self.ports.inputs[port as usize];
        packets.get(packet).ahead =
            self.way(input.router as usize, input.number as u16, packet, packets);
    }

    /// Asks the routing function for the way of a packet that entered a router by a port.
    #[inline]
    pub(super) fn way(
        &mut self,
        router: usize,
        port: u16,
        packet: u32,
        packets: &mut Packets,
    ) -> Way {
        let first_port = self.ports.numbers.first(router) as usize;
        let outputs = OutputsOf { vcs: &self.outputs, first_port };
        let header = &mut packets.get(packet).header;
        self.routing.route(router as u32, port, header, &outputs, &mut self.random)
    }

    /// The packet asks for a virtual channel from the cycle `from` on.
    #[inline(always)]
    fn go(&mut self, router: usize, local: usize, way: Way, from: u64) {
        let first_port = self.ports.numbers.first(router) as usize;
        let state = &mut self.inputs[first_port * self.vcs + local];
        state.stage = Stage::Waiting;
        (state.port, state.first_vc, state.vcs) = (way.port, way.first_vc, way.vcs);
        let delay = self.options.vc_allocation_delay_cycles;
        if delay == 1 {
            self.wait_for(first_port + usize::from(way.port), local);
        } else {
            self.start_timer(Stage::Waiting, router, local, from + u64::from(delay) - 1);
        }
    }

    /// Enters the packet among those that wait for a virtual channel of its output port.
    #[inline]
    pub(super) fn wait(&mut self, router: usize, local: usize) {
        let number = self.inputs[self.first_vc(router) + local].port;
        self.wait_for(self.ports.numbers.first(router) as usize + usize::from(number), local);
    }

    #[inline]
    fn wait_for(&mut self, port: usize, local: usize) {
        self.waiting.insert(port, local);
        bits::insert(&mut self.ports_awaited, port);
    }

    /// Takes the packet from those that wait for a port.
    #[inline(always)]
    pub(super) fn stop_waiting(&mut self, port: usize, local: usize) {
        let was_last = self.waiting.remove(port, local);
        bits::remove_if(&mut self.ports_awaited, port, was_last);
    }

    /// Asks again for the way of every packet that waits.
    pub(super) fn reroute(&mut self, packets: &mut Packets) {
        let mut waiting = std::mem::take(&mut self.rerouted);
        for port in bits::members(&self.ports_awaited) {
            let locals = bits::members(self.waiting.of(port));
            waiting.extend(locals.map(|local| (port as u32, local as u32)));
        }
        for &(port, local) in &waiting {
            let router = self.ports.outputs[port as usize].router as usize;
            let local = local as usize;
            let vc = self.first_vc(router) + local;
            let packet = self.buffers.front(vc).packet();
            let way = self.way(router, self.port_of[local], packet, packets);
            self.stop_waiting(port as usize, local);
            let state = &mut self.inputs[vc];
            (state.port, state.first_vc, state.vcs) = (way.port, way.first_vc, way.vcs);
            self.wait(router, local);
        }
        waiting.clear();
        self.rerouted = waiting;
    }
}
