//! The parameters' times in picoseconds.

use crate::parameters::{CrossbarInputs, DmaUnit, Parameters};
use mpi::time::{Time, from_seconds, of_bytes};

/// Binary digits behind the point of the time of a flit.
const FRACTION: u32 = 16;

/// Times of all that happens on a packet's way.
#[derive(Debug, Clone, Copy)]
pub struct Timing {
    /// Picoseconds · 2^16 in which a channel carries a flit.
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
    pub message: Time,
    pub full_packet_flits: u32,
    pub per_port: bool,
    pub dma_unit: DmaUnit,
    dma_bytes_per_s: Option<f64>,
    /// Bytes and DMA times of a full packet and of a flit.
    known_dma: [(u64, Time); 2],
    memory_bytes_per_s: Option<f64>,
}

impl Timing {
    pub fn new(parameters: &Parameters) -> Self {
        let router = parameters.router();
        let detailed = parameters.is_detailed();
        let cables = parameters.cables.unwrap_or_default();
        let (cable, message) = if detailed {
            (from_seconds(cables.cable_s), 0)
        } else {
            (from_seconds(parameters.hop_latency_s), from_seconds(parameters.latency_s))
        };
        let flit_s = parameters.packet.flit_bytes as f64 / parameters.bandwidth_bytes_per_s;
        let switch_allocation = from_seconds(router.switch_allocation_s);
        let ejection_cable = if detailed { cable } else { 0 };
        let injection_cable = cables.injection_s.map_or(ejection_cable, from_seconds);
        let flit = from_seconds(flit_s);
        Self {
            credit: switch_allocation + cable,
            injection_credit: switch_allocation + injection_cable + flit,
            flit: from_seconds(flit_s * f64::from(1_u32 << FRACTION)),
            routing: from_seconds(router.routing_s),
            vc_allocation: from_seconds(router.vc_allocation_s),
            crossing: switch_allocation
                + from_seconds(router.switch_traversal_s)
                + from_seconds(router.switch_s),
            injection_cable,
            ejection_cable,
            cable,
            message,
            full_packet_flits: parameters.flits(parameters.payload_bytes()) as u32,
            per_port: router.crossbar_inputs == CrossbarInputs::PerPort,
            dma_unit: parameters.nic.dma_unit,
            dma_bytes_per_s: parameters.nic.dma_bytes_per_s,
            known_dma: [parameters.payload_bytes(), parameters.packet.flit_bytes].map(|bytes| {
                let rate = parameters.nic.dma_bytes_per_s;
                (bytes, rate.map_or(0, |rate| of_bytes(bytes, rate)))
            }),
            memory_bytes_per_s: parameters.nic.memory_bytes_per_s,
        }
    }

    /// Time in which a channel carries so many flits.
    #[inline]
    pub fn flits(&self, flits: u32) -> Time {
        (self.flit * u64::from(flits) + (1 << (FRACTION - 1))) >> FRACTION
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

    pub fn dma(&self, bytes: u64) -> Time {
        match self.known_dma {
            [(full, time), _] if bytes == full => time,
            [_, (flit, time)] if bytes == flit => time,
            _ => self.dma_bytes_per_s.map_or(0, |rate| of_bytes(bytes, rate)),
        }
    }

    pub fn memory(&self, bytes: u64) -> Time {
        self.memory_bytes_per_s.map_or(0, |rate| of_bytes(bytes, rate))
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
