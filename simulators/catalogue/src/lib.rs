//! What there is: topologies with their routings, patterns, workloads, and the engines' options and
//! metrics, as JSON. Each part is said where it is programmed; here they are put together.
//!
//! `configs/catalogue.json` is what the command prints, so that planning needs no compiler.

use fabric::{About, KeyType, TOPOLOGIES, TopologySpec};
use serde_json::{Map, Value, json};
use workload::{PATTERNS, Process, Search};

/// The whole catalogue.
///
/// # Panics
/// Where an example of a topology cannot be built.
pub fn text() -> String {
    let mut engines = json!({
        flow::ENGINE: flow::declaration(),
        packet::ENGINE: packet::declaration(),
        rdma::ENGINE: rdma::declaration(),
        anet::ENGINE: anet::declaration(),
        model::ENGINE: model::declaration(),
    });
    let side_tables = side_tables(&mut engines);
    let whole = json!({
        "most_nodes": fabric::MAX_NODES,
        "topologies": TOPOLOGIES.map(topology),
        "patterns": PATTERNS.map(pattern),
        "workloads": workloads(),
        "side_tables": side_tables,
        "engines": engines,
    });
    format!("{whole:#}\n")
}

/// As the topology says, with the words of `routing`, whether node numbers have digits, and the
/// number of nodes of each example.
fn topology(about: &About) -> Value {
    let mut entry = json!(about);
    for (key, shown) in about.keys.iter().zip(entry["keys"].as_array_mut().into_iter().flatten()) {
        if key.kind == KeyType::Choice {
            shown["allowed"] = json!(about.words(key));
        }
    }
    let examples = about.examples.iter().map(|text| {
        let mut keys: Map<String, Value> = serde_json::from_str(text).expect("examples are JSON");
        let shown = keys.clone();
        keys.insert("kind".into(), about.kind.into());
        // A spec has every choice; which one does not change the number of nodes.
        keys.extend(
            about.choices().remove(0).into_iter().map(|(key, word)| (key.into(), word.into())),
        );
        let spec: TopologySpec =
            serde_json::from_value(Value::Object(keys)).expect("examples can be read");
        (shown, spec.build_channels(1).expect("examples can be built"))
    });
    let built: Vec<_> = examples.collect();
    entry["has_digits"] = json!(built.iter().all(|(_, fabric)| fabric.digit_sizes().is_some()));
    let sizes = built.iter().map(|(keys, fabric)| json!({"keys": keys, "nodes": fabric.nodes()}));
    entry["examples"] = sizes.collect();
    entry
}

/// Every side table once; engines keep its name.
///
/// # Panics
/// Where two engines have different tables of one name.
fn side_tables(engines: &mut Value) -> Map<String, Value> {
    let mut found: Map<String, Value> = Map::new();
    let lists = engines.as_object_mut().into_iter().flat_map(|all| all.values_mut());
    for filled in
        lists.flat_map(|engine| engine["side_tables"].as_array_mut().into_iter().flatten())
    {
        let mut table = filled["table"].take();
        let Value::String(name) = table["name"].take() else { panic!("a table has a name") };
        table.as_object_mut().map(|entry| entry.remove("name"));
        let known = found.entry(name.clone()).or_insert_with(|| table.clone());
        assert_eq!(*known, table, "{name} is declared once");
        *filled = json!({"name": name, "of": filled["of"]});
    }
    found
}

fn pattern(about: workload::About) -> Value {
    json!({"name": about.name, "receiver": about.receiver, "needs": about.needs()})
}

fn workloads() -> Value {
    json!({
        "kinds": workload::KINDS,
        "injection_processes": engine::words::<Process>(),
        "searches": engine::words::<Search>(),
    })
}
