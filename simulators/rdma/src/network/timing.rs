//! The parameters' times in picoseconds.

use mpi::time::{Time, from_seconds};
use programs::parameters::{CrossbarInputs, Parameters};
use programs::{Delays, Dma};

/// Binary digits behind the point of the time of a flit.
pub const FRACTION: u32 = 16;

/// Times of all that happens on a packet's way.
#[derive(Debug, Clone, Copy)]
pub struct Timing {
    /// Picoseconds · 2^16 in which a channel carries a flit; the fastest one, where they differ.
    flit: u64,
    /// From the head's arrival at the front of its buffer until it may get a virtual channel.
    pub routing: Time,
    /// From there until it may get the switch.
    pub vc_allocation: Time,
    /// From the switch's grant until the head has crossed it.
    crossing: Time,
    /// From the switch's grant until the first flit's space is known to be free at the router, or the
    /// NIC, from which it came.
    credit: Time,
    injection_credit: Time,
    injection_cable: Time,
    ejection_cable: Time,
    cable: Time,
    /// A packet chooses its way by what its router knew so long ago.
    pub choice: Time,
    pub message: Time,
    pub full_packet_flits: u32,
    pub per_port: bool,
    pub dma: Dma,
}

impl Timing {
    pub fn new(parameters: &Parameters) -> Self {
        let router = parameters.router();
        let delays = Delays::new(parameters);
        let flit_s = parameters.packet.flit_bytes as f64 / parameters.bandwidth_bytes_per_s;
        let flit_s = flit_s * parameters.links.fastest();
        let flit = from_seconds(flit_s);
        Self {
            credit: delays.switch_allocation + delays.cable,
            injection_credit: delays.switch_allocation + delays.injection_cable + flit,
            flit: from_seconds(flit_s * f64::from(1_u32 << FRACTION)),
            routing: delays.routing,
            vc_allocation: delays.vc_allocation,
            crossing: delays.crossing(),
            injection_cable: delays.injection_cable,
            ejection_cable: delays.ejection_cable,
            cable: delays.cable,
            choice: delays.routing.min(flit),
            message: delays.message,
            full_packet_flits: parameters.flits(parameters.payload_bytes()) as u32,
            per_port: router.crossbar_inputs == CrossbarInputs::PerPort,
            dma: Dma::new(parameters),
        }
    }

    /// Time in which a channel carries so many flits; see [`super::mixed`] where they differ.
    #[inline]
    pub fn flits(&self, flits: u32) -> Time {
        (self.flit * u64::from(flits) + (1 << (FRACTION - 1))) >> FRACTION
    }

    /// How many of a packet's flits have been sent `since` the first one, itself included, if not all.
    #[inline]
    pub fn flits_in(&self, since: Time) -> u32 {
        let ended = ((since + 1) << FRACTION) - (1 << (FRACTION - 1)) - 1;
        (ended / self.flit) as u32 + 1
    }

    /// From the switch's grant until the head is on the channel.
    #[inline]
    pub fn crossing(&self) -> Time {
        self.crossing
    }

    /// Latencies of the cables from nodes to routers, between routers, and from routers to nodes.
    #[inline]
    pub fn injection_cable(&self) -> Time {
        self.injection_cable
    }

    #[inline]
    pub fn cable(&self) -> Time {
        self.cable
    }

    #[inline]
    pub fn ejection_cable(&self) -> Time {
        self.ejection_cable
    }

    /// From the switch's grant in the router at the end of a channel until the first flit's space is
    /// known to be free at its beginning. A NIC has no switch to wait for, and learns it as late as
    /// a flit takes.
    #[inline]
    pub fn credit(&self, injected: bool) -> Time {
        if injected { self.injection_credit } else { self.credit }
    }

    /// Width of the event queue's slots, as a power of two, and their number: events up to a packet's
    /// time and a hop ahead lie within it. Half as many slots take a twentieth longer, an eighth of them
    /// a sixth, twice as many bring nothing (all-to-all of 2,048 ranks, from its 1,000th step on).
    pub fn wheel(&self, largest_packet_flits: u32) -> (u32, usize) {
        const SLOTS: usize = 4096;
        let ahead = self.flits(largest_packet_flits) + self.routing + self.vc_allocation;
        let ahead = ahead + self.crossing + self.cable.max(self.injection_cable);
        let width = (2 * ahead / SLOTS as u64).max(1).next_power_of_two();
        (width.trailing_zeros(), SLOTS)
    }
}
