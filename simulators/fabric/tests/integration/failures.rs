//! Failed links and switches: routes go round them, and what cannot be is refused.

use crate::common::graphs::Links;
use crate::common::{dependencies_have_a_cycle, route};
use fabric::{Described, Fabric, TorusClasses};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn build(spec: &Value, seed: u64) -> Result<Fabric, String> {
    let read: Described = serde_json::from_value(spec.clone()).map_err(|e| e.to_string())?;
    read.topology.build(seed).map_err(|e| e.to_string())
}

fn with(mut spec: Value, routing: &str, failed: Value) -> Value {
    spec["routing"] = routing.into();
    spec["failed"] = failed;
    spec
}

fn tree() -> Value {
    json!({"kind": "fat_tree", "k": 4, "levels": 2, "nodes": 16})
}

/// Names of the channels that failed.
fn failed(fabric: &Fabric) -> BTreeSet<String> {
    let listed = (0..fabric.channels()).filter(|&c| fabric.lists(c) && !fabric.exists(c));
    listed
        .inspect(|&c| assert!(fabric.described(c).contains(",failed,")))
        .map(|c| fabric.name(c))
        .collect()
}

fn check_routes(fabric: &Fabric) {
    for (src, dst) in (0..fabric.nodes()).flat_map(|s| (0..fabric.nodes()).map(move |d| (s, d))) {
        let path = route(fabric, src, dst);
        assert!(path.iter().all(|&channel| fabric.exists(channel)));
        assert!(path.windows(2).all(|two| fabric.ends(two[0]).1 == fabric.ends(two[1]).0));
        assert!(path.len() <= fabric.longest_route());
    }
}

/// Every small topology that is joined both ways.
fn topologies() -> Vec<Value> {
    vec![
        tree(),
        json!({"kind": "mesh", "sizes": [3, 4]}),
        json!({"kind": "torus", "sizes": [2, 5], "ties": "plus"}),
        json!({"kind": "hypercube", "dimensions": 3}),
        json!({"kind": "flattened_butterfly", "k": 3, "dimensions": 2}),
        json!({"kind": "dragonfly", "p": 2}),
    ]
}

#[test]
fn a_topology_without_failures_has_the_same_channels_as_a_graph() {
    for spec in topologies() {
        let plain = build(&spec, 1).unwrap();
        let graph = build(&with(spec.clone(), "shortest", json!({"links": 0})), 1).unwrap();
        assert_eq!(graph.channels(), plain.channels());
        for channel in 0..plain.channels() {
            assert_eq!(graph.lists(channel), plain.exists(channel), "{spec}");
            if plain.exists(channel) {
                assert_eq!(graph.described(channel), plain.described(channel));
            }
        }
        assert_eq!(graph.digit_sizes(), plain.digit_sizes());
        let hops = |fabric: &Fabric, s, d| route(fabric, s, d).len();
        for (src, dst) in (0..plain.nodes()).flat_map(|s| (0..plain.nodes()).map(move |d| (s, d))) {
            assert!(hops(&graph, src, dst) <= hops(&plain, src, dst));
        }
    }
}

#[test]
fn cables_fail_both_ways_and_more_failures_contain_fewer() {
    for spec in topologies() {
        let mut before = BTreeSet::new();
        for count in 1..6 {
            let spec = with(spec.clone(), "up_down", json!({"links": count}));
            let found = match build(&spec, 3) {
                Ok(fabric) => {
                    check_routes(&fabric);
                    assert!(!dependencies_have_a_cycle(&fabric, true));
                    failed(&fabric)
                }
                Err(message) => {
                    assert!(message.contains("no path leads from node "), "{message}");
                    break;
                }
            };
            assert_eq!(found.len(), 2 * count, "{spec}: {found:?}");
            assert!(found.is_superset(&before), "{spec}");
            before = found;
        }
        assert!(before.len() >= 4, "{spec}");
    }
}

#[test]
fn the_seed_decides_which_fail_its_own_before_that_of_the_point() {
    let of =
        |failing: Value, seed| failed(&build(&with(tree(), "shortest", failing), seed).unwrap());
    assert_eq!(of(json!({"links": 2, "seed": 7}), 1), of(json!({"links": 2}), 7));
    let all: BTreeSet<_> = (0..40).map(|seed| of(json!({"links": 2}), seed)).collect();
    // Two of sixteen cables: 120 pairs.
    assert!(all.len() > 20, "{}", all.len());
}

#[test]
fn names_choose_what_fails() {
    let named = with(tree(), "shortest", json!({"links": ["up/0/2/1"]}));
    let fabric = build(&named, 1).unwrap();
    let both: BTreeSet<_> = failed(&fabric);
    assert_eq!(both.len(), 2);
    assert!(both.contains("up/0/2/1") && both.iter().any(|name| name.starts_with("down/")));
    // The tops of the tree have the numbers from 4 on.
    let top = build(&with(tree(), "shortest", json!({"switches": [5]})), 1).unwrap();
    assert_eq!(failed(&top).len(), 8);
    check_routes(&top);
    assert_eq!(
        failed(&build(&with(tree(), "shortest", json!({"switches": 3})), 1).unwrap()).len(),
        24
    );
    let mut ring = Links::ring(5, 1).spec("shortest");
    ring["failed"] = json!({"links": [["leaf1", "leaf0"]]});
    let line = build(&ring, 1).unwrap();
    assert_eq!(route(&line, 0, 1).len(), 2 + 4);
}

#[test]
fn what_cannot_be_is_one_message() {
    let refused = |spec: Value, words: &str| {
        let message = build(&spec, 1).unwrap_err();
        assert!(message.contains(words), "{message}");
    };
    let tree_with = |failing| with(tree(), "shortest", failing);
    let most =
        "topology.failed.links is 17, must be at most 16: as many links join two whole switches";
    refused(tree_with(json!({"links": 17})), most);
    refused(tree_with(json!({"switches": 5})), "must be at most 4: as many switches have no node");
    refused(tree_with(json!({"switches": 4})), "no path leads from node ");
    refused(tree_with(json!({"switches": [9]})), "names 9; switches are 0 to 7");
    refused(
        tree_with(json!({"switches": [0]})),
        "switch 0 failed and node 0 is attached to it, so no path leads from node 0 to node 1",
    );
    refused(tree_with(json!({"links": ["up/0/9/1"]})), "names up/0/9/1, must name a link between");
    refused(tree_with(json!({"links": ["injection/3"]})), "must name a link between switches");
    let spine = json!(["up/0/0/0", "up/0/0/1", "up/0/0/2", "up/0/0/3"]);
    refused(
        tree_with(json!({"links": spine})),
        "no path leads from node 4 to node 0 (failed: up/0/0/0, ",
    );
    let mut own = tree();
    own["failed"] = json!({"links": 1});
    refused(own, "topology.failed needs a routing of graphs");
    let mut ring = Links::ring(5, 1).spec("shortest");
    ring["failed"] = json!({"links": [["leaf1", "leaf3"]]});
    refused(ring, "names leaf1 and leaf3, must name two switches that a link joins");
}

#[test]
fn links_of_their_own_and_tapers_stay_those_of_the_topology() {
    let mut spec = with(tree(), "shortest", json!({"links": 1}));
    spec["taper"] = 2.0.into();
    spec["links"] = json!([{"channels": ["injection"], "slower": 4}]);
    let read: Described = serde_json::from_value(spec).unwrap();
    let fabric = read.topology.build(1).unwrap();
    let links = fabric::Links::new(&read.links, &fabric, 1e9).unwrap();
    assert!((links.slower(0) - 4.0).abs() < 1e-12);
    assert!((links.slower(2 * fabric.nodes()) - 2.0).abs() < 1e-12);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn routes_go_round_failures_or_a_pair_is_named(
        graph: u64, switches in 2_u32..12, nodes in 1_u32..12, more in 0_u32..16, count in 0_u32..6,
        seed: u64, word in 0_usize..4,
    ) {
        let routing = ["shortest", "layered", "up_down", "ecmp"][word];
        let mut spec = Links::random(graph, switches, nodes, more).spec(routing);
        spec["failed"] = json!({"links": count});
        match build(&spec, seed) {
            Ok(fabric) => {
                check_routes(&fabric);
                prop_assert_eq!(failed(&fabric).len() as u32, 2 * count);
                if fabric.needed_vcs(TorusClasses::Dateline).is_ok() {
                    prop_assert!(!dependencies_have_a_cycle(&fabric, true));
                }
            }
            Err(message) => prop_assert!(
                message.contains("no path leads from node ") || message.contains("must be at most"),
                "{}", message
            ),
        }
    }
}
