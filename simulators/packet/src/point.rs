//! From a point's spec to its metrics.

use engine::{Metric, Point};
use serde_json::{json, Value};
use std::path::Path;

/// Computes one point; tables on demand go to the folder `out`.
pub fn run_point(_point: &Point, _out: &Path) -> Result<Vec<Metric>, String> {
    Err("under construction".into())
}

/// What this engine supports.
pub fn describe() -> Value {
    json!({ "name": crate::ENGINE, "version": crate::VERSION })
}
