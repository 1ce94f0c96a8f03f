//! Metrics of one simulation.

use crate::simulation::{Job, Outcome};
use engine::{Metric, quantile};

/// Collects metrics, each with the message size it belongs to.
#[derive(Debug, Default)]
pub struct Measures {
    pub metrics: Vec<Metric>,
}

/// Names and units of all metrics.
pub const METRICS: [(&str, &str); 12] = [
    ("makespan_s", "s"),
    ("accepted_rate", "1"),
    ("message_time_mean_s", "s"),
    ("message_time_p50_s", "s"),
    ("message_time_p95_s", "s"),
    ("message_time_max_s", "s"),
    ("link_utilisation_mean", "1"),
    ("link_utilisation_max", "1"),
    ("one_way_time_s", "s"),
    ("exchange_time_s", "s"),
    ("put_time_s", "s"),
    ("collective_time_s", "s"),
];

impl Measures {
    pub fn push(&mut self, metric: &str, message_bytes: Option<u64>, value: f64) {
        let unit = METRICS.iter().find(|(name, _)| *name == metric).map_or("", |(_, unit)| unit);
        let (metric, unit) = (metric.to_string(), unit.to_string());
        self.metrics.push(Metric { metric, message_bytes, value, unit });
    }

    /// Metrics of a message list. A channel's utilisation is the bytes it carried over what it
    /// could have carried until the end; injection and ejection channels count.
    pub fn push_list(&mut self, job: &Job, outcome: &Outcome, message_bytes: Option<u64>) {
        if !job.until_first_node {
            self.push("makespan_s", message_bytes, outcome.end_s);
        }
        if let Some(rate) = outcome.accepted_rate {
            self.push("accepted_rate", message_bytes, rate);
        }
        self.push_times(outcome, message_bytes);
        let capacity = job.bandwidth_bytes_per_s * outcome.end_s;
        if capacity > 0.0 {
            let (mut count, mut sum, mut max) = (0_u64, 0.0, 0.0_f64);
            for (channel, bytes) in outcome.channel_bytes.iter().enumerate() {
                if job.fabric.exists(channel as u32) {
                    count += 1;
                    sum += bytes;
                    max = max.max(*bytes);
                }
            }
            self.push("link_utilisation_mean", message_bytes, sum / count as f64 / capacity);
            self.push("link_utilisation_max", message_bytes, max / capacity);
        }
    }

    /// Times from issue to finish of the messages that finished.
    fn push_times(&mut self, outcome: &Outcome, message_bytes: Option<u64>) {
        let pairs = outcome.issue_s.iter().zip(&outcome.finish_s);
        let mut times: Vec<f64> =
            pairs.map(|(issue, finish)| finish - issue).filter(|time| !time.is_nan()).collect();
        if times.is_empty() {
            return;
        }
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        self.push("message_time_mean_s", message_bytes, mean);
        self.push("message_time_p50_s", message_bytes, quantile(&mut times, 0.50));
        self.push("message_time_p95_s", message_bytes, quantile(&mut times, 0.95));
        self.push("message_time_max_s", message_bytes, quantile(&mut times, 1.0));
    }
}
