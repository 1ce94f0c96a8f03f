//! Metrics of one simulation.

use crate::job::{Job, Outcome};
use engine::{Measure, Metric, quantile};

/// Collects metrics, each with the message size it belongs to.
#[derive(Debug, Default)]
pub struct Measures {
    pub metrics: Vec<Metric>,
}

engine::metrics! {
    /// Metrics of a list that ends.
    OF_LISTS:
    MAKESPAN = "makespan_s", "s";
}
engine::metrics! {
    /// Metrics of lists and of traffic.
    OF_ALL:
    ACCEPTED_RATE = "accepted_rate", "1";
    MESSAGE_TIME_MEAN = "message_time_mean_s", "s";
    MESSAGE_TIME_P50 = "message_time_p50_s", "s";
    MESSAGE_TIME_P95 = "message_time_p95_s", "s";
    MESSAGE_TIME_MAX = "message_time_max_s", "s";
    LINK_UTILISATION_MEAN = "link_utilisation_mean", "1";
    LINK_UTILISATION_MAX = "link_utilisation_max", "1";
}

impl Measures {
    pub fn push(&mut self, measure: Measure, message_bytes: Option<u64>, value: f64) {
        self.metrics.push(Metric::of(measure, message_bytes, value));
    }

    /// Metrics of a message list. A channel's utilisation is the bytes it carried over what it
    /// could have carried by its own bandwidth until the end; injection and ejection channels count.
    pub fn push_list(&mut self, job: &Job, outcome: &Outcome, message_bytes: Option<u64>) {
        if !job.until_first_node {
            self.push(MAKESPAN, message_bytes, outcome.end_s);
        }
        if let Some(rate) = outcome.accepted_rate {
            self.push(ACCEPTED_RATE, message_bytes, rate);
        }
        self.push_times(outcome, message_bytes);
        let capacity = job.bandwidth_bytes_per_s * outcome.end_s;
        if capacity > 0.0 {
            let (mut count, mut sum, mut max) = (0_u64, 0.0, 0.0_f64);
            for (channel, bytes) in outcome.channel_bytes.iter().enumerate() {
                if job.fabric.exists(channel as u32) {
                    count += 1;
                    let bytes = bytes * job.links.slower(channel as u32);
                    sum += bytes;
                    max = max.max(bytes);
                }
            }
            self.push(LINK_UTILISATION_MEAN, message_bytes, sum / count as f64 / capacity);
            self.push(LINK_UTILISATION_MAX, message_bytes, max / capacity);
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
        self.push(MESSAGE_TIME_MEAN, message_bytes, mean);
        self.push(MESSAGE_TIME_P50, message_bytes, quantile(&mut times, 0.50));
        self.push(MESSAGE_TIME_P95, message_bytes, quantile(&mut times, 0.95));
        self.push(MESSAGE_TIME_MAX, message_bytes, quantile(&mut times, 1.0));
    }
}
