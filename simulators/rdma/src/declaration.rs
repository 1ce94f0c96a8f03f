//! What this engine says of itself.

use crate::network::COUNTS;
use engine::with_units;
use programs::parameters::Router;
use programs::{METRICS, Table};
use serde_json::{Value, json};

const TABLES: [Table; 9] = [
    Table::Series,
    Table::Links,
    Table::Messages,
    Table::Calls,
    Table::RankPairs,
    Table::RankTimeline,
    Table::CriticalPath,
    Table::Congestion,
    Table::History,
];

/// The part of `configs/engine/rdma.yaml` that the code decides.
pub fn declaration() -> Value {
    let counts = COUNTS.map(|name| (name, "1"));
    json!({
        "answers": ["program"],
        "metrics": with_units(METRICS.into_iter().chain(counts)),
        "side_tables": programs::side_tables(&TABLES),
        "virtual_channels": {
            "count": "network.router.virtual_channels",
            "ring_classes": "network.router.torus_classes",
            "unless_given": Router::default().virtual_channels,
        },
        "options": programs::options().chain(programs::table_options(&TABLES)).collect::<Vec<_>>(),
    })
}
