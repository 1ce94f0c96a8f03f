//! Counts what the simulation reports.

use super::{Batch, Histogram, MessageLog};
use crate::recorder::{Delivered, Recorder};
use fabric::Node;
use std::ops::Range;

/// Packets that are measured together. Times in cycles.
#[derive(Debug, Clone, Default)]
pub struct Population {
    /// Creation to arrival of the tail.
    pub packet_latency: Histogram,
    /// Departure of the head to arrival of the tail.
    pub network_latency: Histogram,
    routers: u64,
    fragmentation: u64,
}

impl Population {
    fn add(&mut self, packet: &Delivered) {
        self.packet_latency.add(packet.arrived - packet.created);
        self.network_latency.add(packet.arrived - packet.departed);
        self.routers += u64::from(packet.routers);
        let spread = packet.arrived - packet.head_arrived;
        self.fragmentation += spread - u64::from(packet.flits - 1);
    }

    pub fn packets(&self) -> u64 {
        self.packet_latency.count()
    }

    /// Router-to-router channels on the way, on average.
    pub fn hops_mean(&self) -> f64 {
        self.routers as f64 / self.packets().max(1) as f64 - 1.0
    }

    /// Cycles between the arrivals of head and tail beyond the shortest possible, on average.
    pub fn fragmentation_mean(&self) -> f64 {
        self.fragmentation as f64 / self.packets().max(1) as f64
    }
}

/// Sums over the packets that arrived since somebody asked.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Arrived {
    pub packets: u64,
    pub latency_cycles: u64,
}

/// The recorder of all runs. Flits are counted always; the window that is measured comes from
/// differences, so that a flit costs a few instructions.
#[derive(Debug, Clone)]
pub struct Meter {
    pub injected_flits: u64,
    pub ejected_flits: u64,
    pub node_injected: Vec<u64>,
    pub node_ejected: Vec<u64>,
    /// Of every flit since the meter was cleared, from its own departure.
    pub flit_latency: Histogram,
    /// Creation cycles of the packets that are measured.
    window: Range<u64>,
    slot_cycles: u64,
    /// Per slot of the window: latencies of the packets created in it.
    pub latency_slots: Vec<Batch>,
    /// Packets created in the window.
    pub created: Population,
    /// Packets that arrived since the meter was cleared.
    pub delivered: Population,
    pub arrived: Arrived,
    /// Arrival of the last packet.
    pub last_arrival: u64,
    pub log: Option<MessageLog>,
}

impl Meter {
    pub fn new(nodes: usize) -> Self {
        Self {
            injected_flits: 0,
            ejected_flits: 0,
            node_injected: vec![0; nodes],
            node_ejected: vec![0; nodes],
            flit_latency: Histogram::default(),
            window: 0..u64::MAX,
            slot_cycles: u64::MAX,
            latency_slots: vec![Batch::default()],
            created: Population::default(),
            delivered: Population::default(),
            arrived: Arrived::default(),
            last_arrival: 0,
            log: None,
        }
    }

    /// Forgets latencies, and measures packets created in `window`, slot by slot.
    pub fn open(&mut self, window: Range<u64>, slots: usize) {
        let cycles = window.end - window.start;
        self.slot_cycles = cycles.div_ceil(slots as u64).max(1);
        self.latency_slots = vec![Batch::default(); slots];
        self.window = window;
        self.flit_latency = Histogram::default();
        self.created = Population::default();
        self.delivered = Population::default();
    }

    /// Flits in the network.
    pub fn in_flight(&self) -> u64 {
        self.injected_flits - self.ejected_flits
    }
}

impl Recorder for Meter {
    #[inline]
    fn injected(&mut self, src: Node, _now: u64) {
        self.injected_flits += 1;
        self.node_injected[src as usize] += 1;
    }

    #[inline]
    fn ejected(&mut self, dst: Node, departed: u64, now: u64) {
        self.ejected_flits += 1;
        self.node_ejected[dst as usize] += 1;
        self.flit_latency.add(now - departed);
    }

    #[inline]
    fn delivered(&mut self, packet: &Delivered) {
        let latency = packet.arrived - packet.created;
        self.arrived.packets += 1;
        self.arrived.latency_cycles += latency;
        self.last_arrival = self.last_arrival.max(packet.arrived);
        self.delivered.add(packet);
        if self.window.contains(&packet.created) {
            self.created.add(packet);
            let slot = (packet.created - self.window.start) / self.slot_cycles;
            let batch = &mut self.latency_slots[slot as usize];
            batch.sum += latency as f64;
            batch.weight += 1.0;
        }
        if let Some(log) = &mut self.log {
            log.add(packet);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(created: u64, arrived: u64) -> Delivered {
        Delivered {
            src: 0,
            dst: 1,
            message: 0,
            flits: 3,
            created,
            departed: created + 2,
            head_arrived: arrived - 4,
            arrived,
            routers: 4,
        }
    }

    #[test]
    fn only_packets_created_in_the_window_are_measured() {
        let mut meter = Meter::new(2);
        meter.delivered(&packet(5, 20));
        meter.open(100..200, 4);
        for (created, arrived) in [(99, 120), (100, 130), (199, 300), (200, 230)] {
            meter.delivered(&packet(created, arrived));
        }
        assert_eq!((meter.created.packets(), meter.created.packet_latency.mean()), (2, 65.5));
        assert_eq!(meter.created.network_latency.mean(), 63.5);
        assert_eq!((meter.created.hops_mean(), meter.created.fragmentation_mean()), (3.0, 2.0));
        assert_eq!((meter.delivered.packets(), meter.arrived.packets), (4, 5));
        let weights: Vec<f64> = meter.latency_slots.iter().map(|slot| slot.weight).collect();
        assert_eq!((weights, meter.last_arrival), (vec![1.0, 0.0, 0.0, 1.0], 300));
    }

    #[test]
    fn flits_are_counted_per_node() {
        let mut meter = Meter::new(2);
        meter.injected(0, 3);
        meter.injected(0, 4);
        meter.ejected(1, 3, 10);
        assert_eq!((meter.in_flight(), &meter.node_injected[..]), (1, &[2, 0][..]));
        assert_eq!((&meter.node_ejected[..], meter.flit_latency.mean()), (&[0, 1][..], 7.0));
    }
}
