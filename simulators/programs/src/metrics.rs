//! Performance metrics of one run, by name (`configs/report/metrics.yaml` describes them).

use engine::{Measure, Metric};
use mpi::measure::{Courses, Latencies, State};
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
    /// All that left NICs, with headers, once each.
    pub wire_bytes: u64,
    /// What this network alone counts.
    pub counts: &'a [(&'static str, u64)],
    /// Every channel that exists.
    pub links: &'a [Carried],
    pub network_latency: Option<&'a Latencies>,
    pub communication_latency: Option<&'a Latencies>,
    /// What ranks did, where that was watched.
    pub courses: Option<&'a Courses>,
    /// Accesses of the storage, and bytes that they read or wrote.
    pub files: (u64, u64),
    pub coroutine_switches: u64,
}

engine::metrics! {
    /// Every metric that a run on any network may have beside those that programs report.
    METRICS:
    PROGRAM_TIME = "program_time_s", "s";
    EFFECTIVE_BANDWIDTH = "effective_bandwidth_bytes_per_s", "B/s";
    LINK_THROUGHPUT_MEAN = "link_throughput_mean_bytes_per_s", "B/s";
    LINK_THROUGHPUT_MAX = "link_throughput_max_bytes_per_s", "B/s";
    LINK_BUSY_MEAN = "link_busy_mean", "1";
    LINK_BUSY_MAX = "link_busy_max", "1";
    NETWORK_LATENCY_MEAN = "network_latency_mean_s", "s";
    NETWORK_LATENCY_MAX = "network_latency_max_s", "s";
    COMMUNICATION_LATENCY_MEAN = "communication_latency_mean_s", "s";
    COMMUNICATION_LATENCY_MAX = "communication_latency_max_s", "s";
    COMPUTE_IMBALANCE = "compute_imbalance", "1";
    WAITING_IMBALANCE = "waiting_imbalance", "1";
    MESSAGES = "messages", "1";
    PAYLOAD_BYTES = "payload_bytes", "B";
    WIRE_BYTES = "wire_bytes", "B";
    FILE_ACCESSES = "file_accesses", "1";
    FILE_BYTES = "file_bytes", "B";
    COROUTINE_SWITCHES = "coroutine_switches", "1";
    // `{n}` is the number of a job, from 1 to `mpi::MOST_JOBS`.
    JOB_TIME = "job{n}_time_s", "s";
    JOB_ALONE_TIME = "job{n}_alone_time_s", "s";
    JOB_SLOWDOWN = "job{n}_slowdown", "1";
}

/// Unit of times that programs report, and of counts.
const SECONDS: &str = "s";
const COUNT: &str = "1";

/// What a channel carried in all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Carried {
    pub bytes: u64,
    pub busy: Time,
}

/// The longest time by the mean; None if no rank has spent time.
fn imbalance(times: impl Iterator<Item = Time>) -> Option<f64> {
    let (mut count, mut sum, mut most) = (0_u32, 0_u128, 0);
    for time in times {
        count += 1;
        sum += u128::from(time);
        most = most.max(time);
    }
    (sum > 0).then(|| most as f64 * f64::from(count) / sum as f64)
}

impl Performance<'_> {
    /// Rows for the journal, the most important first.
    pub fn metrics(&self) -> Vec<Metric> {
        let time_s = to_seconds(self.program_time);
        let mut rows = vec![self.row(PROGRAM_TIME, time_s)];
        rows.extend(self.samples.iter().map(|(name, value)| self.named(name, *value, SECONDS)));
        if time_s > 0.0 {
            self.add_rates(time_s, &mut rows);
        }
        for (latencies, mean, max) in [
            (self.network_latency, NETWORK_LATENCY_MEAN, NETWORK_LATENCY_MAX),
            (self.communication_latency, COMMUNICATION_LATENCY_MEAN, COMMUNICATION_LATENCY_MAX),
        ] {
            let Some(latencies) = latencies else { continue };
            if let (Some(mean_s), Some(max_s)) = (latencies.mean_s(), latencies.max_s()) {
                rows.extend([self.row(mean, mean_s), self.row(max, max_s)]);
            }
        }
        let imbalances = [(COMPUTE_IMBALANCE, State::Compute), (WAITING_IMBALANCE, State::Waiting)];
        rows.extend(imbalances.into_iter().filter_map(|(measure, state)| {
            let found = imbalance(self.courses?.sums(state))?;
            Some(self.row(measure, found))
        }));
        rows.push(self.row(MESSAGES, self.messages as f64));
        rows.push(self.row(PAYLOAD_BYTES, self.payload_bytes as f64));
        rows.push(self.row(WIRE_BYTES, self.wire_bytes as f64));
        rows.extend(self.counts.iter().map(|&(name, count)| self.named(name, count as f64, COUNT)));
        if let (accesses @ 1.., bytes) = self.files {
            rows.push(self.row(FILE_ACCESSES, accesses as f64));
            rows.push(self.row(FILE_BYTES, bytes as f64));
        }
        rows.push(self.row(COROUTINE_SWITCHES, self.coroutine_switches as f64));
        rows
    }

    fn row(&self, measure: Measure, value: f64) -> Metric {
        Metric::of(measure, self.message_bytes, value)
    }

    /// A metric whose name a program or a network gives.
    fn named(&self, name: &str, value: f64, unit: &str) -> Metric {
        let (metric, unit) = (name.into(), unit.into());
        Metric { metric, message_bytes: self.message_bytes, value, unit }
    }

    fn add_rates(&self, time_s: f64, rows: &mut Vec<Metric>) {
        rows.push(self.row(EFFECTIVE_BANDWIDTH, self.payload_bytes as f64 / time_s));
        let count = self.links.len() as f64;
        if self.links.is_empty() {
            return;
        }
        let bytes = self.links.iter().map(|link| link.bytes).sum::<u64>() as f64;
        let busy_s = to_seconds(self.links.iter().map(|link| link.busy).sum());
        let most_bytes = self.links.iter().map(|link| link.bytes).max().unwrap_or(0) as f64;
        let most_busy_s = to_seconds(self.links.iter().map(|link| link.busy).max().unwrap_or(0));
        rows.extend([
            self.row(LINK_THROUGHPUT_MEAN, bytes / count / time_s),
            self.row(LINK_THROUGHPUT_MAX, most_bytes / time_s),
            self.row(LINK_BUSY_MEAN, busy_s / count / time_s),
            self.row(LINK_BUSY_MAX, most_busy_s / time_s),
        ]);
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
