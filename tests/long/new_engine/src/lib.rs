//! A network without contention: each message takes the latency, and its bytes over the bandwidth.

use engine::{Measure, Metric, Network, Point, with_units};
use fabric::Described;
use serde::Deserialize;
use serde_json::{Value, json};
use workload::WorkloadSpec;

/// Name of this engine in specs and shards.
pub const ENGINE: &str = "ideal";
/// Names the sources of this engine (see `build.rs`); results of another version do not count.
pub const VERSION: &str = env!("SOURCE_VERSION");

const MAKESPAN: Measure = ("makespan_s", "s");

/// The part of `configs/engine/ideal.yaml` that the code decides.
pub fn declaration() -> Value {
    json!({
        "answers": ["messages"],
        "metrics": with_units([MAKESPAN]),
        "side_tables": [],
        "options": [
            {"name": "factor", "type": "number", "above": 0, "default": 1.0,
             "description": "Factor of every time."},
        ],
    })
}

#[derive(Deserialize)]
struct Spec {
    seed: u64,
    topology: Described,
    network: Network,
    workload: WorkloadSpec,
    options: Options,
}

#[derive(Deserialize)]
struct Options {
    factor: f64,
}

/// The time until the last node has sent its messages, one after another, for each of their sizes.
pub fn run_point(point: &Point) -> Result<Vec<Metric>, String> {
    let spec = Spec::deserialize(Value::Object(point.spec.clone())).map_err(|e| e.to_string())?;
    let WorkloadSpec::Messages { list, .. } = &spec.workload else {
        return Err("ideal answers lists of messages".into());
    };
    let fabric = spec.topology.topology.build_channels(spec.seed).map_err(|e| e.to_string())?;
    let mut messages = list.messages(&fabric, spec.seed).map_err(|e| e.to_string())?;
    let Network { bandwidth_bytes_per_s, latency_s, .. } = spec.network;
    let mut metrics = vec![];
    for size in list.sizes() {
        size.into_iter().for_each(|bytes| messages.set_bytes(bytes));
        let time_s = |node| {
            let each = messages.range(node);
            each.map(|id| latency_s + messages.bytes(id) as f64 / bandwidth_bytes_per_s).sum::<f64>()
        };
        let longest_s = (0..messages.nodes()).map(time_s).fold(0.0, f64::max);
        metrics.push(Metric::of(MAKESPAN, size, spec.options.factor * longest_s));
    }
    Ok(metrics)
}
