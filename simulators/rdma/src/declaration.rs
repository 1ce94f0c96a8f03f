//! What this engine says of itself.

use crate::network::COUNTS;
use engine::{Filled, side_tables, with_units};
use programs::parameters::Router;
use programs::tables::CONGESTION;
use programs::{METRICS, TABLES};
use serde_json::{Value, json};

/// The tables that its points may ask for.
pub fn tables() -> Vec<Filled> {
    [&TABLES[..], &[(&CONGESTION, &["program"])]].concat()
}

/// The part of `configs/engine/rdma.yaml` that the code decides.
pub fn declaration() -> Value {
    let counts = COUNTS.map(|name| (name, "1"));
    json!({
        "answers": ["program"],
        "metrics": with_units(METRICS.into_iter().chain(counts)),
        "side_tables": side_tables(&tables()),
        "virtual_channels": {
            "count": "network.router.virtual_channels",
            "ring_classes": "network.router.torus_classes",
            "unless_given": Router::default().virtual_channels,
        },
        "options": programs::options().chain(programs::table_options(&tables())).collect::<Vec<_>>(),
    })
}
