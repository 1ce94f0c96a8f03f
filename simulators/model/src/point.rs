//! From a point's spec to its metrics.

use crate::network::Network;
use crate::options::Options;
use crate::workload::{COLLECTIVE_BYTES, COLLECTIVE_MESSAGES, STEPS, Workload};
use engine::{Metric, Point};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
struct Spec {
    network: Network,
    workload: Workload,
    options: Options,
}

/// Computes one point.
///
/// # Errors
/// Says what is wrong with the point, or what has no formula.
pub fn run_point(point: &Point) -> Result<Vec<Metric>, String> {
    let spec = Spec::deserialize(&point.spec).map_err(|e| e.to_string())?;
    spec.workload.check()?;
    let parameters = spec.options.parameters(&spec.network)?;
    let mut metrics = vec![];
    for size in spec.workload.sizes() {
        let timed = spec.workload.timed(&spec.options, size.unwrap_or(0))?;
        metrics.extend(timed.iter().map(|(measure, schedule)| {
            Metric::of(*measure, size, parameters.time_s(spec.options.cost, schedule))
        }));
        let (_, first) = &timed[0];
        metrics.extend([
            Metric::of(STEPS, size, first.length() as f64),
            Metric::of(COLLECTIVE_MESSAGES, size, first.messages as f64),
            Metric::of(COLLECTIVE_BYTES, size, first.bytes as f64),
        ]);
    }
    Ok(metrics)
}
