//! Measures open-loop traffic: warm-up, window, drain.

use super::{Pace, Steady, Window};
use crate::measure::{Balance, Batch, Holding, falls_behind, half_width, left_over, truncation};
use crate::traffic::Arrivals;

/// Parts of the window whose means show how sure the result is.
const SLOTS: u64 = 128;
/// Warm-up: cycles between two observations, and cycles before the first decision.
const OBSERVE_CYCLES: u64 = 10;
const FIRST_DECISION_CYCLES: u64 = 1000;
/// A network that is not steady after so many windows is measured as it is.
const LONGEST_WARMUP_WINDOWS: u64 = 5;
/// While draining, cycles between two looks whether all packets have arrived.
const DRAIN_LOOK_CYCLES: u64 = 50;

/// What to measure, and for how long.
#[derive(Debug, Clone)]
pub struct SteadyPlan {
    /// A copy of the arrivals that the sources have, to count ahead; `None`: always backlogged.
    pub arrivals: Option<Arrivals>,
    pub message_flits: u64,
    pub packets_per_message: u64,
    /// Messages that come together; 1 unless there are bursts.
    pub burst_messages: f64,
    /// `None`: until the network is steady.
    pub warmup_cycles: Option<u64>,
    pub measure_cycles: u64,
    pub drain_cycles: u64,
    pub confidence: f64,
}

impl SteadyPlan {
    /// Runs it. Injection goes on until the end.
    pub fn run(mut self, pace: &mut Pace) -> Result<Steady, String> {
        let occupancy = pace.occupancy.take();
        match self.warmup_cycles {
            Some(cycles) => pace.advance(cycles)?,
            None => self.warm_up(pace)?,
        }
        let start = pace.network.now();
        let end = start + self.measure_cycles;
        let slot_cycles = self.measure_cycles.div_ceil(SLOTS).max(1);
        let slots = self.measure_cycles.div_ceil(slot_cycles);
        pace.occupancy = occupancy;
        let mut window = Window::open(pace.network, pace.flows_on);
        pace.network.meter_mut().open(start..end, slots as usize);
        let nodes = window.ejected_flits.len();
        self.offered(0, start, nodes);
        let (mut balances, mut accepted, mut in_flight) = (vec![], vec![], vec![]);
        let mut created = 0;
        for slot in 0..slots {
            let (before, from) = (pace.network.meter().ejected_flits, pace.network.now());
            pace.advance(end.min(start + (slot + 1) * slot_cycles))?;
            let ejected = (pace.network.meter().ejected_flits - before) as f64;
            in_flight.push(pace.network.meter().in_flight() as f64);
            let now = pace.network.now();
            let (offered, messages) = self.offered(from, now, nodes);
            created += messages;
            balances.push(Balance { offered, accepted: ejected });
            accepted.push(Batch { sum: ejected, weight: (now - from) as f64 * nodes as f64 });
        }
        let occupancy = pace.occupancy.take();
        window.close(pace.network, end);
        let meter = pace.network.meter();
        let (delivered, flit_latency) = (meter.delivered.clone(), meter.flit_latency.clone());
        let mut saturated = falls_behind(&balances, self.holding(&in_flight));
        if !saturated && self.arrivals.is_some() {
            saturated = !self.drain(pace, end, created * self.packets_per_message)?;
        }
        pace.occupancy = occupancy;
        let has_packet_latency = !saturated && self.arrivals.is_some();
        let meter = pace.network.meter();
        let packets = if has_packet_latency { meter.created.clone() } else { delivered };
        let latency_half_width = match has_packet_latency {
            true => half_width(&meter.latency_slots, self.confidence),
            false => None,
        };
        Ok(Steady {
            window,
            packets,
            flit_latency,
            saturated,
            left_over: left_over(&balances),
            has_packet_latency,
            accepted_half_width: half_width(&accepted, self.confidence),
            latency_half_width,
        })
    }

    /// Flits and messages offered from cycle `from` on, where the last call ended, until `until`.
    fn offered(&mut self, from: u64, until: u64, nodes: usize) -> (f64, u64) {
        match &mut self.arrivals {
            Some(arrivals) => {
                let messages = arrivals.count_until(until);
                ((messages * self.message_flits) as f64, messages)
            }
            None => ((nodes as u64 * (until - from)) as f64, 0),
        }
    }

    /// Goes on until the flits in the network, and those that wait as well unless they only become
    /// more, are steady.
    fn warm_up(&mut self, pace: &mut Pace) -> Result<(), String> {
        let longest = LONGEST_WARMUP_WINDOWS * self.measure_cycles.max(FIRST_DECISION_CYCLES);
        let mut decision = FIRST_DECISION_CYCLES;
        let (mut in_flight, mut backlog, mut balances) = (vec![], vec![], vec![]);
        let mut waiting = 0.0;
        loop {
            let (before, from) = (pace.network.meter().ejected_flits, pace.network.now());
            pace.advance(from + OBSERVE_CYCLES)?;
            let (now, meter) = (pace.network.now(), pace.network.meter());
            in_flight.push(meter.in_flight() as f64);
            let accepted = (meter.ejected_flits - before) as f64;
            if self.arrivals.is_some() {
                let (offered, _) = self.offered(from, now, meter.node_ejected.len());
                waiting += offered - accepted;
                backlog.push(waiting);
                balances.push(Balance { offered, accepted });
            }
            if now < decision {
                continue;
            }
            let enough = self.arrivals.is_none()
                || truncation(&backlog).1
                || self.grows(&balances, &in_flight);
            if now >= longest || (truncation(&in_flight).1 && enough) {
                return Ok(());
            }
            decision += decision / 2;
        }
    }

    fn holding(&self, in_flight: &[f64]) -> Holding {
        let mean_in_flight_flits = in_flight.iter().sum::<f64>() / in_flight.len().max(1) as f64;
        Holding {
            mean_in_flight_flits,
            burst_flits: self.burst_messages * self.message_flits as f64,
        }
    }

    /// Whether the backlog grew in the second half of the warm-up.
    fn grows(&self, balances: &[Balance], in_flight: &[f64]) -> bool {
        let half = balances.len() / 2;
        falls_behind(&balances[half..], self.holding(&in_flight[half..]))
    }

    /// Goes on until all packets of the window have arrived; false if they take too long.
    fn drain(&self, pace: &mut Pace, end: u64, packets: u64) -> Result<bool, String> {
        while pace.network.meter().created.packets() < packets {
            let now = pace.network.now();
            if now >= end + self.drain_cycles {
                return Ok(false);
            }
            pace.advance((now + DRAIN_LOOK_CYCLES).min(end + self.drain_cycles))?;
        }
        Ok(true)
    }
}
