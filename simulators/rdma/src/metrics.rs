//! Performance metrics of one run, by name (`configs/report/metrics.yaml` describes them).

use engine::Metric;
use mpi::measure::Latencies;
use mpi::time::{Time, to_seconds};

/// What a run counted, watched or not.
#[derive(Debug, Clone, Default)]
pub struct Performance<'a> {
    /// Size of the program's messages, where the workload has sizes.
    pub message_bytes: Option<u64>,
    /// From the start of the program to the end of its slowest rank.
    pub program_time: Time,
    /// Times that the program reported: the largest of all ranks by metric.
    pub samples: &'a [(String, f64)],
    pub messages: u64,
    /// Data of the program's messages, without headers and control packets.
    pub payload_bytes: u64,
    pub packets: u64,
    pub packet_hops: u64,
    /// Packets of any kind with their headers, once each.
    pub wire_bytes: u64,
    /// Every channel that exists.
    pub links: &'a [Carried],
    pub network_latency: Option<&'a Latencies>,
    pub communication_latency: Option<&'a Latencies>,
    pub coroutine_switches: u64,
}

/// Every metric that a run may have beside those that programs report, with its unit.
pub const METRICS: [(&str, &str); 16] = [
    ("program_time_s", "s"),
    ("effective_bandwidth_bytes_per_s", "B/s"),
    ("link_throughput_mean_bytes_per_s", "B/s"),
    ("link_throughput_max_bytes_per_s", "B/s"),
    ("link_busy_mean", "1"),
    ("link_busy_max", "1"),
    ("network_latency_mean_s", "s"),
    ("network_latency_max_s", "s"),
    ("communication_latency_mean_s", "s"),
    ("communication_latency_max_s", "s"),
    ("messages", "1"),
    ("payload_bytes", "B"),
    ("packets", "1"),
    ("wire_bytes", "B"),
    ("packet_hops", "1"),
    ("coroutine_switches", "1"),
];

/// What a channel carried in all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Carried {
    pub bytes: u64,
    pub busy: Time,
}

impl Performance<'_> {
    /// Rows for the journal: what people ask for first.
    pub fn metrics(&self) -> Vec<Metric> {
        let mut rows = vec![];
        let mut add = |metric: &str, value: f64, unit: &str| {
            rows.push(Metric {
                metric: metric.into(),
                message_bytes: self.message_bytes,
                value,
                unit: unit.into(),
            });
        };
        let time_s = to_seconds(self.program_time);
        add("program_time_s", time_s, "s");
        for (metric, value) in self.samples {
            add(metric, *value, "s");
        }
        if time_s > 0.0 {
            self.rates(time_s, &mut add);
        }
        for (name, latencies) in [
            ("network_latency", self.network_latency),
            ("communication_latency", self.communication_latency),
        ] {
            let Some(latencies) = latencies else { continue };
            if let (Some(mean), Some(max)) = (latencies.mean_s(), latencies.max_s()) {
                add(&format!("{name}_mean_s"), mean, "s");
                add(&format!("{name}_max_s"), max, "s");
            }
        }
        add("messages", self.messages as f64, "1");
        add("payload_bytes", self.payload_bytes as f64, "B");
        add("packets", self.packets as f64, "1");
        add("wire_bytes", self.wire_bytes as f64, "B");
        add("packet_hops", self.packet_hops as f64, "1");
        add("coroutine_switches", self.coroutine_switches as f64, "1");
        rows
    }

    fn rates(&self, time_s: f64, add: &mut impl FnMut(&str, f64, &str)) {
        add("effective_bandwidth_bytes_per_s", self.payload_bytes as f64 / time_s, "B/s");
        let count = self.links.len() as f64;
        if self.links.is_empty() {
            return;
        }
        let bytes = self.links.iter().map(|link| link.bytes).sum::<u64>() as f64;
        let busy_s = to_seconds(self.links.iter().map(|link| link.busy).sum());
        let most_bytes = self.links.iter().map(|link| link.bytes).max().unwrap_or(0) as f64;
        let most_busy_s = to_seconds(self.links.iter().map(|link| link.busy).max().unwrap_or(0));
        add("link_throughput_mean_bytes_per_s", bytes / count / time_s, "B/s");
        add("link_throughput_max_bytes_per_s", most_bytes / time_s, "B/s");
        add("link_busy_mean", busy_s / count / time_s, "1");
        add("link_busy_max", most_busy_s / time_s, "1");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(rows: &[Metric], name: &str) -> Option<f64> {
        rows.iter().find(|row| row.metric == name).map(|row| row.value)
    }

    #[test]
    fn rates_are_totals_over_the_time_of_the_program() {
        let links =
            [Carried { bytes: 3000, busy: 750_000 }, Carried { bytes: 1000, busy: 250_000 }];
        let performance = Performance {
            message_bytes: Some(64),
            program_time: 1_000_000,
            payload_bytes: 1800,
            links: &links,
            ..Performance::default()
        };
        let rows = performance.metrics();
        assert!(rows.iter().all(|row| row.message_bytes == Some(64)));
        for (name, expected) in [
            ("program_time_s", 1e-6),
            ("effective_bandwidth_bytes_per_s", 1.8e9),
            ("link_throughput_mean_bytes_per_s", 2e9),
            ("link_throughput_max_bytes_per_s", 3e9),
            ("link_busy_mean", 0.5),
            ("link_busy_max", 0.75),
        ] {
            let found = value(&rows, name).unwrap();
            assert!((found / expected - 1.0).abs() < 1e-12, "{name}: {found}");
        }
    }

    #[test]
    fn a_program_that_takes_no_time_has_no_rates() {
        let rows = Performance::default().metrics();
        assert_eq!(value(&rows, "program_time_s"), Some(0.0));
        assert_eq!(value(&rows, "effective_bandwidth_bytes_per_s"), None);
        assert!(rows.iter().all(|row| row.value.is_finite()));
    }

    #[test]
    fn latencies_appear_where_they_were_watched() {
        let mut latencies = Latencies::default();
        latencies.add(1_000_000);
        latencies.add(3_000_000);
        let performance =
            Performance { network_latency: Some(&latencies), ..Performance::default() };
        let rows = performance.metrics();
        assert_eq!(value(&rows, "network_latency_mean_s"), Some(2e-6));
        assert_eq!(value(&rows, "network_latency_max_s"), Some(3e-6));
        assert_eq!(value(&rows, "communication_latency_mean_s"), None);
    }
}
