//! What this engine supports, for `weft-rdma describe`.

use crate::{ENGINE, VERSION, options};
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
            "fat_tree": ["dmodk", "smodk"],
            "mesh": ["dor"],
            "torus": ["dor"],
            "hypercube": ["e_cube"],
            "crossbar": ["direct"],
            "fly": ["destination_tag"],
            "flattened_butterfly": ["minimal"],
            "dragonfly": ["minimal"],
        },
        "ties": ["plus", "avoid_wrap", "simgrid", "random"],
        "patterns": [],
        "workloads": ["program"],
        "algorithms": options::algorithm_names(),
        "rank_to_node": ["linear", "random", "block", "file"],
        "tables": ["series", "links", "messages", "congestion", "history"],
        "metrics": crate::metrics::NAMES,
    })
}
