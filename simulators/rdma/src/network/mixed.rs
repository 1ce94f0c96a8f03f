//! Channels that are not all alike: each with its own time of a flit and its own cable.
//!
//! A router passes a flit on when all of it is there. Its times contain that of a flit on a channel with
//! the network's bandwidth, so a head comes from a slower channel as much later as its flit takes longer
//! there. From a slow channel into a faster one a packet waits until its last flit cannot be late: a
//! packet crosses a channel without gaps.

use super::timing::FRACTION;
use super::{Asking, Network};
use crate::wiring::Wiring;
use mpi::time::{Time, from_seconds};
use programs::{Delays, NetworkObserver, Parameters};

#[derive(Debug, Clone, Copy)]
struct OfChannel {
    /// Picoseconds · 2^16 in which it carries a flit.
    flit: u64,
    cable: Time,
    /// How much longer its flit takes than one on a channel with the network's bandwidth.
    later: Time,
}

/// What each channel is like. Where all are alike there is none.
#[derive(Debug)]
pub(crate) struct Mixed {
    channels: Vec<OfChannel>,
    /// What the fastest channel needs for a flit, in the same parts.
    fastest: u64,
    switch_allocation: Time,
}

impl Mixed {
    pub fn new(parameters: &Parameters, wiring: &Wiring) -> Option<Self> {
        let links = &parameters.links;
        if links.are_alike() {
            return None;
        }
        let delays = Delays::new(parameters);
        let plain_s = parameters.packet.flit_bytes as f64 / parameters.bandwidth_bytes_per_s;
        let flit = |slower: f64| from_seconds(plain_s * slower * f64::from(1_u32 << FRACTION));
        let of = |channel| {
            let slower = links.slower(channel);
            OfChannel {
                flit: flit(slower),
                cable: delays.of_cable(channel, wiring.nodes, links),
                later: from_seconds(plain_s * (slower - 1.0)),
            }
        };
        Some(Self {
            channels: (0..wiring.channels).map(of).collect(),
            fastest: flit(links.fastest()),
            switch_allocation: delays.switch_allocation,
        })
    }

    /// Time in which a channel carries so many flits.
    #[inline]
    pub fn flits(&self, channel: u32, flits: u32) -> Time {
        in_whole(self.channels[channel as usize].flit * u64::from(flits))
    }

    #[inline]
    pub fn cable(&self, channel: u32) -> Time {
        self.channels[channel as usize].cable
    }

    /// From a head's leaving the beginning of a channel until the router at its end has its first flit.
    #[inline]
    pub fn head(&self, channel: u32) -> Time {
        let own = &self.channels[channel as usize];
        own.cable + own.later
    }

    /// From the switch's grant in the router at the end of a channel until the first flit's space is
    /// known to be free at its beginning; a NIC learns it as late as a flit takes.
    #[inline]
    pub fn credit(&self, channel: u32, injected: bool) -> Time {
        let flit = if injected { self.flits(channel, 1) } else { 0 };
        self.switch_allocation + self.cable(channel) + flit
    }

    /// How much longer flits behind the first one take on a channel than on the fastest one. What comes
    /// free flit by flit is noted at the fastest pace, so much later that the last flit is right.
    #[inline]
    pub fn behind_fastest(&self, channel: u32, flits: u32) -> Time {
        let own = self.channels[channel as usize].flit;
        in_whole((own - self.fastest) * u64::from(flits - 1))
    }

    /// How long a packet from one channel waits for its last flit before it enters another one.
    #[inline]
    fn wait(&self, from: u32, to: u32, flits: u32) -> Time {
        let of = |channel: u32| self.channels[channel as usize].flit;
        in_whole(of(from).saturating_sub(of(to)) * u64::from(flits - 1))
    }
}

#[inline]
fn in_whole(parts: u64) -> Time {
    (parts + (1 << (FRACTION - 1))) >> FRACTION
}

impl<O: NetworkObserver> Network<O> {
    /// Time in which a channel carries so many flits.
    #[inline]
    pub(crate) fn flits_on(&self, channel: u32, flits: u32) -> Time {
        match &self.mixed {
            None => self.timing.flits(flits),
            Some(mixed) => mixed.flits(channel, flits),
        }
    }

    /// From a head's leaving a NIC until the router has it.
    #[inline]
    pub(crate) fn head_from(&self, node: u32) -> Time {
        match &self.mixed {
            None => self.timing.injection_cable(),
            Some(mixed) => mixed.head(node),
        }
    }

    /// Packets from slow channels that ask for faster ones wait for their last flits.
    #[inline(never)]
    pub(super) fn wait_for_tails(&mut self, asking: &[Asking]) {
        for &Asking { place, packet, out } in asking {
            self.wait_for_tail(place, packet, out);
        }
    }

    pub(super) fn wait_for_tail(&mut self, place: u32, packet: u32, out: u32) {
        let (Some(mixed), packet) = (&self.mixed, self.packets.get(packet)) else { return };
        let vc = &mut self.vcs[place as usize];
        let wait = mixed.wait(vc.channel, out, packet.flits());
        // Only a head is routed and gets a virtual channel.
        vc.when = vc.when.max((packet.arrived + wait).saturating_sub(self.timing.vc_allocation));
    }
}
