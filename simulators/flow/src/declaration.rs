//! What this engine says of itself.

use crate::measures::METRICS;
use crate::point::Table;
use crate::sharing::Model;
use engine::{with_units, words};
use serde_json::{Value, json};
use workload::{Process, Program};

/// The part of `configs/engine/flow.yaml` that the code decides.
pub fn declaration() -> Value {
    json!({
        "answers": workload::KINDS,
        "metrics": with_units(METRICS),
        "side_tables": words::<Table>(),
        "supports": {
            "topology.kind": fabric::static_kinds(),
            "topology.routing": fabric::static_words(),
            "workload.injection_process": [words::<Process>()[Process::Bernoulli as usize]],
            "workload.search": [],
            // By formula, so that it needs no source.
            "workload.program": words::<Program>(),
        },
        "options": options(),
    })
}

fn options() -> Vec<Value> {
    vec![
        json!({"name": "model", "type": "choice", "allowed": words::<Model>(),
               "default": "equal_share",
               "description": "How flows share a link: equal parts, or max-min fairness."}),
        json!({"name": "tables", "type": "choice", "allowed": words::<Table>(), "several": true,
               "default": [],
               "description": "Large tables to write beside the metrics."}),
    ]
}
