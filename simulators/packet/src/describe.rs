//! What this engine supports, for `weft-packet describe`.

use crate::{ENGINE, VERSION, metrics};
use serde_json::{Value, json};

pub fn describe() -> Value {
    json!({
        "name": ENGINE,
        "version": VERSION,
        "topologies": [
            "fat_tree", "mesh", "torus", "hypercube", "crossbar", "fly", "flattened_butterfly",
            "dragonfly",
        ],
        "routing": {
            "fat_tree": ["dmodk", "smodk", "nca", "anca"],
            "mesh": ["dor"],
            "torus": ["dor"],
            "hypercube": ["e_cube", "minimal_adaptive"],
            "crossbar": ["direct"],
            "fly": ["destination_tag"],
            "flattened_butterfly": ["minimal", "valiant", "ugal"],
            "dragonfly": ["minimal", "valiant", "ugal"],
        },
        "ties": ["plus", "avoid_wrap", "simgrid", "random"],
        "torus_classes": ["dateline", "balanced"],
        "switching": ["wormhole", "virtual_cut_through"],
        "allocators": ["islip", "separable_input_first", "wavefront", "maximum"],
        "arbiters": ["round_robin", "age"],
        "patterns": workload::PATTERNS.map(|about| about.name),
        "workloads": ["messages", "traffic"],
        "injection_processes": ["bernoulli", "on_off"],
        "searches": ["saturation"],
        "tables": ["messages", "links", "nodes", "buffers", "series"],
        "metrics": metrics::names(),
    })
}
