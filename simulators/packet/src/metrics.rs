//! Metrics of runs, by name.

use crate::measure::{Histogram, Population};
use crate::run::{Saturation, Steady, Window};
use crate::wiring::{Peer, Wiring};
use engine::Metric;
use serde_json::Value;

/// Names and units of all metrics, beside the five of each latency.
const METRICS: [(&str, &str); 26] = [
    ("offered_rate", "1"),
    ("injected_rate", "1"),
    ("accepted_rate", "1"),
    ("accepted_rate_min", "1"),
    ("accepted_rate_max", "1"),
    ("accepted_rate_halfwidth", "1"),
    ("packet_latency_halfwidth_cycles", "cycle"),
    ("hops_mean", "1"),
    ("fragmentation_mean_cycles", "cycle"),
    ("link_utilisation_mean", "1"),
    ("link_utilisation_max", "1"),
    ("warmup_cycles", "cycle"),
    ("measured_cycles", "cycle"),
    ("saturated", "1"),
    ("saturation_throughput", "1"),
    ("saturation_injection_rate", "1"),
    ("flit_router_visits", "1"),
    ("simulated_cycles", "cycle"),
    ("makespan_s", "s"),
    ("makespan_cycles", "cycle"),
    ("message_time_mean_s", "s"),
    ("message_time_p50_s", "s"),
    ("message_time_p95_s", "s"),
    ("message_time_max_s", "s"),
    ("cycle_s", "s"),
    ("packets_measured", "1"),
];
const LATENCIES: [&str; 3] = ["packet", "network", "flit"];
const STATISTICS: [&str; 5] = ["mean", "p50", "p95", "p99", "max"];

/// All metrics with their units.
pub fn with_units() -> Value {
    let latencies = LATENCIES
        .iter()
        .flat_map(|kind| STATISTICS.map(|of| (format!("{kind}_latency_{of}_cycles"), "cycle")));
    let named = METRICS.iter().map(|(name, unit)| ((*name).to_string(), *unit));
    let all: Vec<(String, &str)> = named.chain(latencies).collect();
    engine::with_units(all.iter().map(|(name, unit)| (name.as_str(), *unit)))
}

/// Collects the metrics of one message size.
#[derive(Debug)]
pub struct Measures {
    message_bytes: Option<u64>,
    pub metrics: Vec<Metric>,
}

impl Measures {
    pub fn new(message_bytes: Option<u64>) -> Self {
        Self { message_bytes, metrics: vec![] }
    }

    pub fn push(&mut self, metric: &str, value: f64) {
        let unit = METRICS.iter().find(|(name, _)| *name == metric).map_or("cycle", |(_, u)| u);
        let (metric, unit) = (metric.to_string(), unit.to_string());
        self.metrics.push(Metric { metric, message_bytes: self.message_bytes, value, unit });
    }

    fn push_some(&mut self, metric: &str, value: Option<f64>) {
        if let Some(value) = value {
            self.push(metric, value);
        }
    }

    /// What open-loop traffic at `offered_rate` showed.
    pub fn push_steady(&mut self, steady: &Steady, offered_rate: f64) {
        let window = &steady.window;
        self.push("offered_rate", offered_rate);
        self.push("injected_rate", window.rate(&window.injected_flits));
        self.push("accepted_rate", window.rate(&window.ejected_flits));
        let per_node = window.ejected_flits.iter().map(|&f| f as f64 / window.cycles() as f64);
        self.push("accepted_rate_min", per_node.clone().fold(f64::INFINITY, f64::min));
        self.push("accepted_rate_max", per_node.fold(0.0, f64::max));
        self.push_some("accepted_rate_halfwidth", steady.accepted_half_width);
        self.push("saturated", f64::from(u8::from(steady.saturated)));
        if steady.has_packet_latency {
            self.push_latency("packet", &steady.packets.packet_latency);
            self.push_some("packet_latency_halfwidth_cycles", steady.latency_half_width);
        }
        self.push_packets(&steady.packets, &steady.flit_latency);
        self.push("warmup_cycles", window.start as f64);
        self.push("measured_cycles", window.cycles() as f64);
    }

    /// What does not depend on creation times.
    pub fn push_packets(&mut self, packets: &Population, flit_latency: &Histogram) {
        self.push_latency("network", &packets.network_latency);
        self.push_latency("flit", flit_latency);
        self.push("packets_measured", packets.packets() as f64);
        if packets.packets() > 0 {
            self.push("hops_mean", packets.hops_mean());
            self.push("fragmentation_mean_cycles", packets.fragmentation_mean());
        }
    }

    /// Mean, percentiles and maximum; nothing when nothing was measured.
    pub fn push_latency(&mut self, kind: &str, latency: &Histogram) {
        if latency.count() == 0 {
            return;
        }
        let values = [
            latency.mean(),
            latency.quantile(0.50),
            latency.quantile(0.95),
            latency.quantile(0.99),
            latency.max() as f64,
        ];
        for (of, value) in STATISTICS.iter().zip(values) {
            self.push(&format!("{kind}_latency_{of}_cycles"), value);
        }
    }

    /// Flits that channels carried over cycles of the window; injection and ejection count.
    pub fn push_utilisation(&mut self, window: &Window, wiring: &Wiring) {
        let ports = window.port_flits.iter().zip(&wiring.output);
        let carried = ports
            .filter(|(_, peer)| **peer != Peer::Nothing)
            .map(|(flits, _)| *flits)
            .chain(window.injection_channel_flits.iter().copied());
        let (mut count, mut sum, mut max) = (0_u64, 0, 0);
        for flits in carried {
            count += 1;
            sum += flits;
            max = flits.max(max);
        }
        let cycles = window.cycles().max(1) as f64;
        self.push("link_utilisation_mean", sum as f64 / count.max(1) as f64 / cycles);
        self.push("link_utilisation_max", max as f64 / cycles);
    }

    pub fn push_saturation(&mut self, found: &Saturation) {
        self.push("saturation_throughput", found.throughput);
        self.push("saturation_injection_rate", found.injection_rate);
        self.push("saturated", f64::from(u8::from(found.saturated)));
    }

    /// Times of messages from issue to arrival.
    pub fn push_message_times(&mut self, times_s: &mut [f64]) {
        if times_s.is_empty() {
            return;
        }
        self.push("message_time_mean_s", times_s.iter().sum::<f64>() / times_s.len() as f64);
        self.push("message_time_p50_s", engine::quantile(times_s, 0.50));
        self.push("message_time_p95_s", engine::quantile(times_s, 0.95));
        self.push("message_time_max_s", engine::quantile(times_s, 1.0));
    }
}
