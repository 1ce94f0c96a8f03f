//! What this engine says of itself.

use crate::measures::{OF_ALL, OF_LISTS};
use crate::sharing::Model;
use engine::{Filled, LINKS, MESSAGES, side_tables, words};
use serde_json::{Value, json};
use workload::Process;

/// The tables that its points may ask for.
pub fn tables() -> Vec<Filled> {
    let of_lists = [&MESSAGES, &LINKS, &programs::LINK_FLOWS].map(|table| table.name);
    let filled = |(table, of): &Filled| match of_lists.contains(&table.name) {
        true => (*table, &workload::KINDS[..]),
        false => (*table, *of),
    };
    programs::TABLES.iter().map(filled).collect()
}

/// The part of `configs/engine/flow.yaml` that the code decides.
pub fn declaration() -> Value {
    json!({
        "answers": workload::KINDS,
        "metrics": programs::metrics_by_kind(&[
            (&["messages"], &OF_LISTS),
            (&["messages", "traffic"], &OF_ALL),
            (&["program"], &programs::METRICS),
        ]),
        "side_tables": side_tables(&tables()),
        "supports": {
            "topology.kind": fabric::static_kinds(),
            "topology.routing": fabric::static_words(),
            "workload.injection_process": [words::<Process>()[Process::Bernoulli as usize]],
            "workload.search": [],
        },
        "options": options(),
    })
}

fn options() -> Vec<Value> {
    let model = json!({
        "name": "model", "type": "choice", "allowed": words::<Model>(), "default": "equal_share",
        "description": "How flows share a link: equal parts, or max-min fairness."
    });
    let of_programs =
        programs::options().chain(programs::table_options(&tables())).map(|mut option| {
            // Lists of messages have tables, too.
            if option["name"] != "tables" {
                option["of"] = "program".into();
            }
            option
        });
    std::iter::once(model).chain(of_programs).collect()
}
