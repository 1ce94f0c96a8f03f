//! RC: route computation.

use super::outputs::OutputsOf;
use super::{Routers, Stage};
use crate::bits::{self, Bits};
use crate::packets::Packets;
use crate::routing::{Routing, Way};

impl<R: Routing> Routers<R> {
    /// The packet at the front of a virtual channel begins its stay in the cycle `from`.
    #[inline]
    pub(super) fn begin(&mut self, router: usize, local: usize, from: u64, packets: &mut Packets) {
        let vc = self.first_vc(router) + local;
        let delay = self.options.routing_delay_cycles;
        bits::insert(&mut self.active, router);
        if delay == 0 {
            let way = packets.get(self.buffers.front(vc).packet()).ahead;
            self.go(router, local, way, from);
            return;
        }
        self.inputs[vc].stage = Stage::Routing;
        if delay == 1 {
            bits::insert(&mut self.routed[router * self.vc_words..], local);
        } else {
            self.start_timer(Stage::Routing, router, local, from + u64::from(delay) - 1);
        }
    }

    /// Routes the packets whose turn it is; they wait for a virtual channel from the next cycle on.
    #[inline]
    pub(super) fn compute_routes(&mut self, router: usize, now: u64, packets: &mut Packets) {
        for word in 0..self.vc_words {
            let routed = std::mem::take(&mut self.routed[router * self.vc_words + word]);
            for bit in Bits(routed) {
                let local = word * 64 + bit;
                let packet = self.buffers.front(self.first_vc(router) + local).packet();
                let way = self.way(router, self.port_of[local], packet, packets);
                self.go(router, local, way, now + 1);
            }
        }
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
        let first_port = self.ports.first[router] as usize;
        let outputs = OutputsOf { vcs: &self.outputs, first_port };
        let header = &mut packets.get(packet).header;
        self.routing.route(router as u32, port, header, &outputs, &mut self.random)
    }

    /// The packet asks for a virtual channel from the cycle `from` on.
    fn go(&mut self, router: usize, local: usize, way: Way, from: u64) {
        let vc = self.first_vc(router) + local;
        let state = &mut self.inputs[vc];
        state.stage = Stage::Waiting;
        (state.port, state.first_vc, state.vcs) = (way.port, way.first_vc, way.vcs);
        let delay = self.options.vc_allocation_delay_cycles;
        if delay == 1 {
            self.wait(router, local);
        } else {
            self.start_timer(Stage::Waiting, router, local, from + u64::from(delay) - 1);
        }
    }

    /// Enters the packet among those that wait for a virtual channel of its output port.
    #[inline]
    pub(super) fn wait(&mut self, router: usize, local: usize) {
        let number = usize::from(self.inputs[self.first_vc(router) + local].port);
        let port = self.ports.first[router] as usize + number;
        bits::insert(&mut self.waiting[port * self.vc_words..], local);
        bits::insert(&mut self.waiting_ports[router * self.port_words..], number);
    }

    /// Takes the packet from those that wait.
    #[inline]
    pub(super) fn stop_waiting(&mut self, router: usize, local: usize) {
        let number = usize::from(self.inputs[self.first_vc(router) + local].port);
        let port = self.ports.first[router] as usize + number;
        let waiting = &mut self.waiting[port * self.vc_words..][..self.vc_words];
        bits::remove(waiting, local);
        if !bits::any(waiting) {
            bits::remove(&mut self.waiting_ports[router * self.port_words..], number);
        }
    }

    /// Asks again for the way of every packet that waits.
    pub(super) fn reroute(&mut self, router: usize, packets: &mut Packets) {
        let first = self.first_vc(router);
        let ports = (self.ports.first[router + 1] - self.ports.first[router]) as usize;
        for local in 0..ports * self.vcs {
            let state = self.inputs[first + local];
            if state.stage != Stage::Waiting {
                continue;
            }
            let port = self.ports.first[router] as usize + usize::from(state.port);
            if !bits::contains(&self.waiting[port * self.vc_words..], local) {
                continue;
            }
            let packet = self.buffers.front(first + local).packet();
            let way = self.way(router, self.port_of[local], packet, packets);
            self.stop_waiting(router, local);
            let state = &mut self.inputs[first + local];
            (state.port, state.first_vc, state.vcs) = (way.port, way.first_vc, way.vcs);
            self.wait(router, local);
        }
    }
}
