//! Metrics of runs, by name.

use crate::measure::{Histogram, Population};
use crate::run::{Saturation, Steady, Window};
use crate::wiring::{Peer, Wiring};
use engine::{Measure, Metric, words};
use fabric::Links;
use serde_json::Value;
use workload::Search;

engine::metrics! {
    /// Metrics of traffic at one rate.
    OF_TRAFFIC:
    OFFERED_RATE = "offered_rate", "1";
    INJECTED_RATE = "injected_rate", "1";
    ACCEPTED_RATE = "accepted_rate", "1";
    ACCEPTED_RATE_MIN = "accepted_rate_min", "1";
    ACCEPTED_RATE_MAX = "accepted_rate_max", "1";
    ACCEPTED_RATE_HALFWIDTH = "accepted_rate_halfwidth", "1";
    PACKET_LATENCY_HALFWIDTH = "packet_latency_halfwidth_cycles", "cycle";
    WARMUP_CYCLES = "warmup_cycles", "cycle";
    MEASURED_CYCLES = "measured_cycles", "cycle";
}
engine::metrics! {
    /// Metrics of traffic, at one rate or in a search.
    OF_RATES:
    SATURATED = "saturated", "1";
}
engine::metrics! {
    /// Metrics of a search for the rate at which the network saturates.
    OF_SEARCHES:
    SATURATION_THROUGHPUT = "saturation_throughput", "1";
    SATURATION_INJECTION_RATE = "saturation_injection_rate", "1";
}
engine::metrics! {
    /// Metrics of lists.
    OF_LISTS:
    MAKESPAN = "makespan_s", "s";
    MAKESPAN_CYCLES = "makespan_cycles", "cycle";
    MESSAGE_TIME_MEAN = "message_time_mean_s", "s";
    MESSAGE_TIME_P50 = "message_time_p50_s", "s";
    MESSAGE_TIME_P95 = "message_time_p95_s", "s";
    MESSAGE_TIME_MAX = "message_time_max_s", "s";
}
engine::metrics! {
    /// Metrics of lists and of traffic at one rate, beside the six of each latency.
    OF_PACKETS:
    HOPS_MEAN = "hops_mean", "1";
    FRAGMENTATION_MEAN = "fragmentation_mean_cycles", "cycle";
    LINK_UTILISATION_MEAN = "link_utilisation_mean", "1";
    LINK_UTILISATION_MAX = "link_utilisation_max", "1";
    PACKETS_MEASURED = "packets_measured", "1";
}
engine::metrics! {
    /// Metrics of every point but those with programs.
    OF_CYCLES:
    FLIT_ROUTER_VISITS = "flit_router_visits", "1";
    SIMULATED_CYCLES = "simulated_cycles", "cycle";
    CYCLE = "cycle_s", "s";
}

/// Mean, minimum, percentiles and maximum of a latency.
macro_rules! latency {
    ($kind:literal) => {
        [
            (concat!($kind, "_latency_mean_cycles"), "cycle"),
            (concat!($kind, "_latency_min_cycles"), "cycle"),
            (concat!($kind, "_latency_p50_cycles"), "cycle"),
            (concat!($kind, "_latency_p95_cycles"), "cycle"),
            (concat!($kind, "_latency_p99_cycles"), "cycle"),
            (concat!($kind, "_latency_max_cycles"), "cycle"),
        ]
    };
}

/// Metrics of one latency, see [`Measures::push_latency`].
pub type Latency = [Measure; 6];
pub const PACKET_LATENCY: Latency = latency!("packet");
pub const NETWORK_LATENCY: Latency = latency!("network");
pub const FLIT_LATENCY: Latency = latency!("flit");

/// What the network of a program counts, beside what every network does.
pub const COUNTS: [&str; 5] =
    ["packets", "packet_hops", "packets_reordered", "messages_held", FLIT_ROUTER_VISITS.0];

/// All metrics with their units and the kinds of workload that have them, each once.
pub fn by_kind() -> Value {
    let every = ["messages", "traffic", words::<Search>()[Search::Saturation as usize]];
    let (both, searches) = every.split_at(2);
    programs::metrics_by_kind(&[
        (&["traffic"], &OF_TRAFFIC),
        (&every[1..], &OF_RATES),
        (searches, &OF_SEARCHES),
        (&["messages"], &OF_LISTS),
        (both, &OF_PACKETS),
        (both, &PACKET_LATENCY),
        (both, &NETWORK_LATENCY),
        (both, &FLIT_LATENCY),
        (&every, &OF_CYCLES),
        (&["program"], &programs::METRICS),
        (&["program"], &COUNTS.map(|name| (name, "1"))),
    ])
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

    pub fn push(&mut self, measure: Measure, value: f64) {
        self.metrics.push(Metric::of(measure, self.message_bytes, value));
    }

    fn push_some(&mut self, measure: Measure, value: Option<f64>) {
        if let Some(value) = value {
            self.push(measure, value);
        }
    }

    /// What open-loop traffic at `offered_rate` showed.
    pub fn push_steady(&mut self, steady: &Steady, offered_rate: f64) {
        let window = &steady.window;
        self.push(OFFERED_RATE, offered_rate);
        self.push(INJECTED_RATE, window.rate(&window.injected_flits));
        self.push(ACCEPTED_RATE, window.rate(&window.ejected_flits));
        let per_node = window.ejected_flits.iter().map(|&f| f as f64 / window.cycles() as f64);
        self.push(ACCEPTED_RATE_MIN, per_node.clone().fold(f64::INFINITY, f64::min));
        self.push(ACCEPTED_RATE_MAX, per_node.fold(0.0, f64::max));
        self.push_some(ACCEPTED_RATE_HALFWIDTH, steady.accepted_half_width);
        self.push(SATURATED, f64::from(u8::from(steady.saturated)));
        if steady.has_packet_latency {
            self.push_latency(PACKET_LATENCY, &steady.packets.packet_latency);
            self.push_some(PACKET_LATENCY_HALFWIDTH, steady.latency_half_width);
        }
        self.push_packets(&steady.packets, &steady.flit_latency);
        self.push(WARMUP_CYCLES, window.start as f64);
        self.push(MEASURED_CYCLES, window.cycles() as f64);
    }

    /// What does not depend on creation times.
    pub fn push_packets(&mut self, packets: &Population, flit_latency: &Histogram) {
        self.push_latency(NETWORK_LATENCY, &packets.network_latency);
        self.push_latency(FLIT_LATENCY, flit_latency);
        self.push(PACKETS_MEASURED, packets.packets() as f64);
        if packets.packets() > 0 {
            self.push(HOPS_MEAN, packets.hops_mean());
            self.push(FRAGMENTATION_MEAN, packets.fragmentation_mean());
        }
    }

    /// Mean, minimum, percentiles and maximum; nothing when nothing was measured.
    pub fn push_latency(&mut self, measures: Latency, latency: &Histogram) {
        if latency.count() == 0 {
            return;
        }
        let values = [
            latency.mean(),
            latency.min() as f64,
            latency.quantile(0.50),
            latency.quantile(0.95),
            latency.quantile(0.99),
            latency.max() as f64,
        ];
        for (measure, value) in measures.into_iter().zip(values) {
            self.push(measure, value);
        }
    }

    /// Flits that channels carried over those that they could carry in the window; injection and
    /// ejection count.
    pub fn push_utilisation(&mut self, window: &Window, wiring: &Wiring, links: &Links) {
        let ports = window.port_flits.iter().zip(&wiring.output).zip(&wiring.channel);
        let carried = ports
            .filter(|((_, peer), _)| **peer != Peer::Nothing)
            .map(|((flits, _), channel)| (*flits, *channel))
            .chain(window.injection_channel_flits.iter().copied().zip(0..));
        let (mut count, mut sum, mut max) = (0_u64, 0.0, 0.0_f64);
        for (flits, channel) in carried {
            let cycles = flits as f64 * links.slower(channel);
            count += 1;
            sum += cycles;
            max = max.max(cycles);
        }
        let cycles = window.cycles().max(1) as f64;
        self.push(LINK_UTILISATION_MEAN, sum / count.max(1) as f64 / cycles);
        self.push(LINK_UTILISATION_MAX, max / cycles);
    }

    pub fn push_saturation(&mut self, found: &Saturation) {
        self.push(SATURATION_THROUGHPUT, found.throughput);
        self.push(SATURATION_INJECTION_RATE, found.injection_rate);
        self.push(SATURATED, f64::from(u8::from(found.saturated)));
    }

    /// Times of messages from issue to arrival.
    pub fn push_message_times(&mut self, times_s: &mut [f64]) {
        if times_s.is_empty() {
            return;
        }
        self.push(MESSAGE_TIME_MEAN, times_s.iter().sum::<f64>() / times_s.len() as f64);
        self.push(MESSAGE_TIME_P50, engine::quantile(times_s, 0.50));
        self.push(MESSAGE_TIME_P95, engine::quantile(times_s, 0.95));
        self.push(MESSAGE_TIME_MAX, engine::quantile(times_s, 1.0));
    }
}
