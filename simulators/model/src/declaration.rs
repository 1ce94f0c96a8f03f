//! What this engine says of itself.

use crate::algorithms::ALGORITHMS;
use crate::costs::Cost;
use crate::libraries::LIBRARIES;
use crate::workload::{METRICS, programs};
use engine::{algorithm_option, with_units, words};
use serde_json::{Value, json};

/// The part of `configs/engine/model.yaml` that the code decides.
pub fn declaration() -> Value {
    json!({
        "answers": ["program"],
        "metrics": with_units(METRICS),
        "side_tables": [],
        "supports": {"workload.program": programs()},
        "options": costs().into_iter().chain(algorithms()).collect::<Vec<_>>(),
    })
}

fn costs() -> Vec<Value> {
    vec![
        json!({"name": "cost", "type": "choice", "allowed": words::<Cost>(), "default": "hockney",
               "description": "The cost model; docs/model.md has the equation of each."}),
        json!({"name": "overhead", "type": "time", "minimum": "0 s", "default": "0 s",
               "description": "o of LogP and LogGP: the time that a processor spends on a message, \
                on each side."}),
        json!({"name": "gap", "type": "time", "minimum": "0 s", "default": "0 s",
               "description": "g of LogP and LogGP: least time between two messages of a rank."}),
        json!({"name": "small_message_size", "type": "size", "minimum": "1 B", "default": "8 B",
               "description": "Largest message of LogP; a longer one is sent as several."}),
        json!({"name": "one_way_start", "type": "time", "minimum": "0 s", "default": null,
               "description": "S1 of model_1 to model_4; null for the time of 0 bytes of a calibrated \
                network, else the latency."}),
        json!({"name": "two_way_start", "type": "time", "minimum": "0 s", "default": null,
               "description": "S2 of model_1 to model_4; as `one_way_start`, for both ways."}),
        json!({"name": "curve_file", "type": "file", "default": null,
               "description": "M1 and M2 of model_2 to model_4: CSV with the columns \
                message_bytes, one_way_s_per_byte and two_way_s_per_byte; path from the project. null \
                for the curves of a calibrated network."}),
        json!({"name": "byte_factor", "type": "number", "above": 0, "default": 1.3,
               "description": "Factor by which model_4 multiplies M1 and M2."}),
        json!({"name": "message_factor", "type": "number", "above": 0, "default": 2.0,
               "description": "Factor by which model_4 multiplies S1 and S2."}),
        json!({"name": "combine", "type": "rate", "default": null,
               "description": "Rate at which a rank combines data of a reduction; null for no \
                time."}),
    ]
}

/// One for each collective, as the simulators have it; the first algorithm is the default.
pub fn algorithms() -> impl Iterator<Item = Value> {
    ALGORITHMS.iter().map(|(collective, choices)| {
        let names = choices.iter().map(|(name, _)| *name);
        let allowed: Vec<&str> = names.chain(LIBRARIES).collect();
        algorithm_option(collective, &allowed)
    })
}
