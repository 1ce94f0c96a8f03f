//! Nodes with several links.

use crate::common::graphs::{Links as Cables, spec};
use fabric::{Described, Fabric, Links, LinksSpec};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Two hosts with two rails each, on two switches that nothing joins but a third one.
fn planes() -> Value {
    let links = Cables { switches: 3, nodes: vec![0, 1, 0, 1], links: vec![(0, 2), (1, 2)] };
    let mut file = links.file();
    file["rails"] = json!([2, 2]);
    file
}

fn build(file: &Value, rails: Option<&str>, nodes: u64) -> Result<Fabric, String> {
    let mut spec = spec(file, "shortest");
    spec["nodes"] = nodes.into();
    if let Some(rails) = rails {
        spec["rails"] = rails.into();
    }
    let read: Described = serde_json::from_value(spec).map_err(|e| e.to_string())?;
    read.topology.build(1).map_err(|e| e.to_string())
}

#[test]
fn workloads_count_hosts_and_the_network_counts_rails() {
    let fabric = build(&planes(), None, 2).unwrap();
    assert_eq!((fabric.hosts(), fabric.nodes()), (2, 4));
    let rails = fabric.rails().unwrap();
    assert_eq!([0, 1, 2].map(|n| rails.of_message(0, 1, n)), [(0, 2), (1, 3), (0, 2)]);
    assert!(build(&planes(), None, 4).unwrap_err().contains("nodes is 4"));
}

#[test]
fn a_rule_says_which_rail_a_message_takes() {
    let fabric = build(&planes(), Some("hash"), 2).unwrap();
    let rails = fabric.rails().unwrap();
    let first = (0..64).filter(|&number| rails.of_message(0, 1, number).0 == 0).count();
    assert!((16..48).contains(&first), "{first}");
    assert!(build(&planes(), Some("striped"), 2).unwrap_err().contains("striped"));
}

#[test]
fn rails_that_are_not_the_nodes_are_refused() {
    let mut file = planes();
    for rails in [json!([2, 1]), json!([4, 0])] {
        file["rails"] = rails;
        let error = build(&file, None, 2).unwrap_err();
        assert!(error.contains("must be the 4 nodes, none with 0"), "{error}");
    }
}

#[test]
fn a_graph_whose_nodes_have_one_link_each_has_no_rails() {
    let mut file = Cables::ring(3, 1).file();
    file["rails"] = json!([1, 1, 1]);
    let fabric = build(&file, None, 3).unwrap();
    assert_eq!((fabric.hosts(), fabric.rails()), (3, None));
}

/// Ends of every channel, how many times slower it is, and its latency.
fn speeds(file: &Value) -> BTreeSet<String> {
    let column = |key: &str| file["channels"][key].as_array().unwrap().clone();
    let columns = ["from", "to", "slower", "latency_s"].map(column);
    let row = |at: usize| format!("{:?}", columns.each_ref().map(|column| &column[at]));
    (0..columns[0].len()).map(row).collect()
}

#[test]
fn an_exported_graph_keeps_names_rails_and_speeds_of_its_file() {
    let mut file = planes();
    let channels = file["channels"]["from"].as_array().unwrap().len();
    file["channels"]["slower"] = (0..channels).map(|at| (at == 2).then_some(3.0)).collect();
    file["channels"]["latency_s"] = (0..channels).map(|at| (at == 1).then_some(3e-6)).collect();
    let fabric = build(&file, None, 2).unwrap();
    let text = fabric.exported(&LinksSpec::default()).unwrap();
    let found: Value = serde_json::from_str(&text).unwrap();
    for key in ["nodes", "switches", "rails"] {
        assert_eq!(found[key], file[key], "{key}");
    }
    // Channels of nodes come first in what is exported.
    assert_eq!(speeds(&found), speeds(&file));
    assert!(found["routes"].is_object());
}

#[test]
fn entries_of_a_spec_replace_what_the_file_says_of_a_link() {
    let mut file = planes();
    let channels = file["channels"]["from"].as_array().unwrap().len();
    file["channels"]["slower"] = vec![Some(3.0); channels].into();
    let names: Vec<String> = (0..12).map(|at| format!("c{at}")).collect();
    file["channels"]["name"] = names.into();
    let fabric = build(&file, None, 2).unwrap();
    // The first channel between switches is the ninth of the file.
    let entry = json!({"links": [{"channels": ["injection/1", "c8"], "latency_s": 1e-6}]});
    let links = Links::new(&serde_json::from_value(entry).unwrap(), &fabric, 1e9).unwrap();
    assert_eq!([0, 1, 8, 9].map(|channel| links.slower(channel)), [3.0, 1.0, 1.0, 3.0]);
    assert_eq!((links.latency_s(0, 0.0), links.latency_s(1, 0.0)), (0.0, 1e-6));
}
