//! Points whose failures, as their seed draws them, cut the network.

use engine::{Answer, Point};
use fabric::Described;
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Deserialize)]
struct Spec {
    seed: u64,
    topology: Described,
}

/// Computes a point, unless what its seed draws to fail cuts the network. Then it is skipped, and the
/// reason names the nodes that no path joins: with other seeds the experiment goes on.
pub fn unless_cut(point: &Point, compute: impl FnOnce() -> Answer) -> Answer {
    cut(point).map_or_else(compute, Answer::skipped)
}

/// None also for a point that cannot be read; whoever computes it says what is wrong.
fn cut(point: &Point) -> Option<String> {
    let spec = Spec::deserialize(Value::Object(point.spec.clone())).ok()?;
    let pair = spec.topology.topology.cut_by_chance(spec.seed)?;
    Some(format!("the failures that its seed draws cut the network: {pair}"))
}
