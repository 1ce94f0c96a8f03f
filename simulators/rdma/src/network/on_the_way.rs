//! Routes that packets choose on their way, by the routing functions of `fabric`.
//!
//! A packet chooses its way out of a router when its head has been routed, by what the router knew at
//! the beginning of the last flit's time of that, as in `weft-packet`. Where its function asks again,
//! which `weft-packet` does in every cycle, a packet that got no virtual channel chooses anew when one
//! comes free in its router, and a flit's time after it lost one to another packet.

use super::loads::Loads;
use super::timing::Timing;
use super::what::Seldom;
use super::{Ask, Asking, Network, Vc};
use crate::wiring::{Range, Wiring};
use fabric::routing::{AnyRouting, Header, Outputs, Routing, Way};
use fabric::{End, PortNumbers};
use mpi::time::{NEVER, Time};
use programs::NetworkObserver;
use workload::Random;

/// The beginning of the random numbers of the packet with this number at its source. Odd factors spread
/// seeds, sources and packets: were they joined bit by bit, another seed would only change the order in
/// which a source takes the same detours, and runs with different seeds would not be independent.
pub fn drawn(seed: u64, src: u32, number: u64) -> u64 {
    seed.wrapping_mul(0xd134_2543_de82_ef95)
        .wrapping_add(u64::from(src).wrapping_mul(0xaf25_1af3_b0f0_25b5))
        .wrapping_add(number.wrapping_mul(0xb564_ef22_ec7a_ece5))
}

/// What a packet carries for its routing function.
#[derive(Debug, Clone, Copy, Default)]
struct Carried {
    header: Header,
    /// From this follow its random choices. They do not depend on other packets, so nothing depends on
    /// the order in which packets of one time choose.
    drawn: u64,
}

pub(crate) struct OnTheWay {
    function: AnyRouting,
    /// By number of packet.
    carried: Vec<Carried>,
    loads: Loads,
    ports: PortNumbers,
    /// Per input port of all routers: its router.
    routers: Vec<u32>,
    /// Per output port of all routers: its channel.
    channels: Vec<u32>,
    /// Channels between routers have numbers from here on.
    between_routers: u32,
    /// Per router: the time for which a further choice is planned.
    planned: Vec<Time>,
    /// Memory for those who choose again.
    waiting: Vec<(u32, u32)>,
}

/// The output ports of a router, as its routing function sees them.
struct Seen<'a> {
    channels: &'a [u32],
    loads: &'a Loads,
    first_vcs: &'a Wiring,
    vcs: &'a [Vc],
    capacity: u32,
    timing: &'a Timing,
    /// The time of what is seen.
    at: Time,
}

impl Outputs for Seen<'_> {
    fn used_credits(&self, port: u16) -> u32 {
        self.loads.used(self.channels[usize::from(port)], self.at, self.timing)
    }

    fn any_free(&self, port: u16, first_vc: u16, vcs: u16) -> bool {
        let first = self.first_vcs.first_vc(self.channels[usize::from(port)]) + u32::from(first_vc);
        self.vcs[first as usize..][..usize::from(vcs)].iter().any(|vc| {
            vc.free_at <= self.at && vc.free_for(1, self.capacity, self.timing) <= self.at
        })
    }
}

impl OnTheWay {
    /// None where routes are static.
    pub fn new(wiring: &Wiring) -> Option<Self> {
        let function = wiring.routing()?;
        let (fabric, ports) = (&wiring.fabric, wiring.ports().clone());
        let mut channels = vec![u32::MAX; ports.ports()];
        for channel in (0..wiring.channels).filter(|&channel| fabric.exists(channel)) {
            if let (End::Router(router), Some(port)) =
                (fabric.ends(channel).0, fabric.output_port(channel))
            {
                channels[(ports.first(router as usize) + port) as usize] = channel;
            }
        }
        let routers = 0..wiring.routers();
        let of_router = |router| ports.first(router)..ports.first(router + 1);
        Some(Self {
            function,
            carried: Vec::new(),
            loads: Loads::new(wiring.channels),
            routers: routers.flat_map(|r| of_router(r).map(move |_| r as u32)).collect(),
            channels,
            between_routers: 2 * wiring.nodes,
            planned: vec![NEVER; wiring.routers()],
            waiting: Vec::new(),
            ports,
        })
    }

    /// A packet leaves its NIC.
    fn depart(&mut self, packet: u32, (src, dst): (u32, u32), drawn: u64) {
        let packet = packet as usize;
        if self.carried.len() <= packet {
            self.carried.resize(packet + 1, Carried::default());
        }
        let mut header = Header { src, dst, ..Header::default() };
        self.function.inject(&mut header, &mut Random::new(drawn));
        self.carried[packet] = Carried { header, drawn };
    }
}

impl<O: NetworkObserver> Network<O> {
    /// The packets that became the first of their buffers will choose their ways when they are routed.
    #[inline(never)]
    pub(super) fn plan_choices(&mut self) {
        while let Some(Asking { place, packet, .. }) = self.asking.pop() {
            self.plan(self.vcs[place as usize].when, Seldom::Route { vc: place, packet }.what());
        }
    }

    /// A packet leaves its NIC.
    #[inline(never)]
    pub(crate) fn depart(&mut self, packet: u32, node: u32) {
        let drawn = drawn(self.seed, node, self.channels[node as usize].packets);
        let transfer = self.transfers.get(self.packets.get(packet).transfer);
        if let Some(own) = self.on_the_way.as_mut() {
            own.depart(packet, (transfer.src, transfer.dst), drawn);
        }
    }

    /// The first packet of a buffer, whose head has been routed, chooses its way and asks for it.
    #[inline(never)]
    pub(super) fn choose_way(&mut self, place: u32, packet: u32) {
        let (channel, way) = self.way(place, packet);
        let range = Range { first: way.first_vc as u8, count: way.vcs as u8 };
        let room = self.room(self.packets.get(packet).flits());
        self.vcs[place as usize].asks = Ask::new(room, range);
        self.wait_for_tail(place, packet, channel);
        self.request(place, channel);
    }

    /// Asks the routing function; the channel to which the way leads. A packet that may lose what is
    /// free now chooses again a flit's time later.
    fn way(&mut self, place: u32, packet: u32) -> (u32, Way) {
        let input = self.input(place);
        let Some(own) = self.on_the_way.as_mut() else {
            unreachable!("only packets without static routes choose");
        };
        let router = own.routers[input] as usize;
        let (first, end) = (own.ports.first(router), own.ports.first(router + 1));
        let channels = &own.channels[first as usize..end as usize];
        let seen = Seen {
            channels,
            loads: &own.loads,
            first_vcs: &self.wiring,
            vcs: &self.vcs,
            capacity: self.capacity,
            timing: &self.timing,
            at: self.now.saturating_sub(self.timing.choice),
        };
        let Carried { header, drawn } = &mut own.carried[packet as usize];
        let mut random = Random::new(*drawn ^ self.now);
        let entered = (input as u32 - first) as u16;
        let way = own.function.route(router as u32, entered, header, &seen, &mut random);
        let channel = channels[usize::from(way.port)];
        if own.function.reroutes()
            && channel >= own.between_routers
            && seen.any_free(way.port, way.first_vc, way.vcs)
        {
            self.plan_choice(channel, self.now + self.timing.flits(1));
        }
        (channel, way)
    }

    /// Those who wait in the router before a channel will choose again.
    fn plan_choice(&mut self, channel: u32, at: Time) {
        let router = self.wiring.router(channel) as usize;
        let Some(own) = self.on_the_way.as_mut() else { return };
        if std::mem::replace(&mut own.planned[router], at) != at {
            self.plan(at, Seldom::Choose { channel }.what());
        }
    }

    /// All who wait in the router before a channel for a virtual channel to another router choose
    /// again.
    #[inline(never)]
    pub(super) fn choose_ways_again(&mut self, channel: u32) {
        let router = self.wiring.router(channel) as usize;
        let Some(own) = self.on_the_way.as_mut() else { return };
        let mut waiting = std::mem::take(&mut own.waiting);
        for port in own.ports.first(router)..own.ports.first(router + 1) {
            let output =
                self.on_the_way.as_ref().map_or(u32::MAX, |own| own.channels[port as usize]);
            if output < 2 * self.wiring.nodes || output == u32::MAX {
                continue;
            }
            self.find_waiting(output, 0, |bit| {
                waiting.push((output, bit));
                false
            });
        }
        for &(output, bit) in &waiting {
            self.remove_waiting(output, bit);
            let place = self.channels[output as usize].first_input_vc + bit;
            self.choose_way(place, self.vcs[place as usize].first);
        }
        waiting.clear();
        if let Some(own) = self.on_the_way.as_mut() {
            own.waiting = waiting;
        }
    }

    /// A packet of so many flits gets the switch to an output; the beginning of the channel that it
    /// came by learns from a time on that its space is free.
    pub(super) fn note_loads(
        &mut self,
        (output, granted): (u32, Time),
        (behind, known): (u32, Time),
        flits: u32,
    ) {
        let timing = &self.timing;
        let since = self.now.saturating_sub(timing.choice);
        let Some(own) = self.on_the_way.as_mut() else { return };
        if output >= own.between_routers {
            own.loads.send(output, granted, flits, since, timing);
        }
        if behind >= own.between_routers {
            own.loads.free(behind, known, flits, since, timing);
            if own.function.reroutes() {
                let free = known + timing.flits(flits - 1);
                self.plan_choice(behind, free + self.timing.flits(1));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn another_seed_brings_other_numbers_and_not_the_same_in_another_order() {
        let of = |seed, src| (1..=64).map(move |number| drawn(seed, src, number));
        let all = (0..8).flat_map(|seed| (0..8).flat_map(move |src| of(seed, src)));
        assert_eq!(all.collect::<HashSet<_>>().len(), 8 * 8 * 64);
    }
}
