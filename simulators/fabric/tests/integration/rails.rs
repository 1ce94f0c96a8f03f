//! Nodes with several links.

use crate::common::graphs::{Links, spec};
use fabric::{Described, Fabric};
use serde_json::{Value, json};

/// Two hosts with two rails each, on two switches that nothing joins but a third one.
fn planes() -> Value {
    let links = Links { switches: 3, nodes: vec![0, 1, 0, 1], links: vec![(0, 2), (1, 2)] };
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
    let mut file = Links::ring(3, 1).file();
    file["rails"] = json!([1, 1, 1]);
    let fabric = build(&file, None, 3).unwrap();
    assert_eq!((fabric.hosts(), fabric.rails()), (3, None));
}
