//! Time series and buffer occupancy on demand.

use super::Network;
use crate::measure::Arrived;

/// What happened in one interval. Times in cycles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    pub start: u64,
    pub end: u64,
    pub injected_flits: u64,
    pub ejected_flits: u64,
    /// Packets that arrived.
    pub arrived: Arrived,
    /// At the end.
    pub in_flight_flits: u64,
}

/// Looks at a network once per interval.
#[derive(Debug, Clone)]
pub struct Series {
    interval_cycles: u64,
    start: u64,
    injected_flits: u64,
    ejected_flits: u64,
    arrived: Arrived,
    pub intervals: Vec<Interval>,
}

impl Series {
    pub fn new(interval_cycles: u64) -> Self {
        Self {
            interval_cycles,
            start: 0,
            injected_flits: 0,
            ejected_flits: 0,
            arrived: Arrived::default(),
            intervals: vec![],
        }
    }

    /// Cycle of the next look.
    pub fn next(&self) -> u64 {
        self.start + self.interval_cycles
    }

    pub fn look(&mut self, network: &dyn Network) {
        if network.now() >= self.next() {
            self.end_interval(network);
        }
    }

    /// Ends the last interval at cycle `end`, after which nothing but the arrivals of this cycle
    /// has happened: they belong to it.
    pub fn close(&mut self, network: &dyn Network, end: u64) {
        self.end_interval(network);
        let within = self.intervals.partition_point(|interval| interval.start < end);
        for late in self.intervals.split_off(within) {
            if let Some(last) = self.intervals.last_mut() {
                last.injected_flits += late.injected_flits;
                last.ejected_flits += late.ejected_flits;
                last.arrived.packets += late.arrived.packets;
                last.arrived.latency_cycles += late.arrived.latency_cycles;
                last.in_flight_flits = late.in_flight_flits;
            }
        }
        if let Some(last) = self.intervals.last_mut() {
            last.end = end;
        }
    }

    fn end_interval(&mut self, network: &dyn Network) {
        let (now, meter) = (network.now(), network.meter());
        let arrived = Arrived {
            packets: meter.arrived.packets - self.arrived.packets,
            latency_cycles: meter.arrived.latency_cycles - self.arrived.latency_cycles,
        };
        self.intervals.push(Interval {
            start: self.start,
            end: now,
            injected_flits: meter.injected_flits - self.injected_flits,
            ejected_flits: meter.ejected_flits - self.ejected_flits,
            arrived,
            in_flight_flits: meter.in_flight(),
        });
        self.start = now;
        self.injected_flits = meter.injected_flits;
        self.ejected_flits = meter.ejected_flits;
        self.arrived = meter.arrived;
    }
}

/// Flits in the buffers of all virtual channels of all input ports, looked at in every cycle.
#[derive(Debug, Clone, Default)]
pub struct Occupancy {
    /// Per port and virtual channel.
    sum: Vec<u64>,
    max: Vec<u16>,
}

impl Occupancy {
    pub fn look(&mut self, network: &dyn Network) {
        let buffers = network.occupancy();
        self.sum.resize(buffers.len(), 0);
        self.max.resize(buffers.len(), 0);
        for ((sum, max), flits) in self.sum.iter_mut().zip(&mut self.max).zip(buffers) {
            *sum += u64::from(flits);
            *max = (*max).max(flits);
        }
    }

    /// Mean over `cycles` cycles and maximum of each buffer, in their order. Looks after these cycles
    /// do no harm when the buffers were empty.
    pub fn buffers(&self, cycles: u64) -> impl Iterator<Item = (f64, u16)> + '_ {
        let cycles = cycles.max(1) as f64;
        self.sum.iter().zip(&self.max).map(move |(sum, max)| (*sum as f64 / cycles, *max))
    }
}
