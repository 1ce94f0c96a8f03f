//! What a point may name as its topology, and what it is told otherwise.

use fabric::{Detour, Fabric, FabricError, TopologySpec, UpRouting};
use serde_json::{Value, json};

fn spec(value: Value) -> Result<TopologySpec, String> {
    serde_json::from_value(value).map_err(|e| e.to_string())
}

fn fabric(value: Value) -> Fabric {
    spec(value).unwrap().build(1).unwrap()
}

fn error(value: Value) -> String {
    spec(value).unwrap().build(1).unwrap_err().to_string()
}

#[test]
fn invalid_topologies_name_the_wrong_key() {
    let text = |spec: TopologySpec| spec.build(1).unwrap_err().to_string();
    let tree =
        |k, levels, nodes| TopologySpec::FatTree { k, levels, routing: UpRouting::Dmodk, nodes };
    assert_eq!(text(tree(1, 2, None)), "k is 1, must be at least 2");
    assert_eq!(text(tree(4, 2, Some(15))), "nodes is 15, but the topology has 16");
    assert!(text(tree(1000, 9, None)).contains("more than"));
    assert!(text(TopologySpec::Mesh { sizes: vec![3, 0], nodes: None }).contains("sizes is 0"));
}

#[test]
fn absent_keys_have_their_usual_values() {
    let butterfly = fabric(json!({"kind": "flattened_butterfly", "k": 3, "dimensions": 2}));
    assert_eq!((butterfly.nodes(), butterfly.routers()), (27, 9));
    let dragonfly = fabric(json!({"kind": "dragonfly", "p": 2}));
    assert_eq!((dragonfly.nodes(), dragonfly.routers()), (72, 36));
    let fly = fabric(json!({"kind": "fly", "k": 2, "stages": 3, "routing": "destination_tag"}));
    assert_eq!((fly.nodes(), fly.routers()), (8, 12));
}

#[test]
fn a_routing_without_static_routes_says_what_is_allowed() {
    let cases = [
        (json!({"kind": "fat_tree", "k": 2, "levels": 2}), "nca", "dmodk, smodk"),
        (json!({"kind": "fat_tree", "k": 2, "levels": 2}), "anca", "dmodk, smodk"),
        (json!({"kind": "hypercube", "dimensions": 2}), "minimal_adaptive", "e_cube"),
        (json!({"kind": "flattened_butterfly", "k": 2, "dimensions": 2}), "valiant", "minimal"),
        (json!({"kind": "dragonfly", "p": 1}), "ugal", "minimal"),
    ];
    for (mut topology, routing, first) in cases {
        topology["routing"] = routing.into();
        let about = fabric::TOPOLOGIES.iter().find(|about| topology["kind"] == about.kind).unwrap();
        let allowed = about.static_routings().collect::<Vec<_>>().join(", ");
        assert!(allowed.starts_with(first));
        let expected = format!("routing {routing} has no static route; allowed here: {allowed}");
        assert_eq!(error(topology.clone()), expected);
        assert!(spec(topology).unwrap().build_channels(1).is_ok());
    }
}

#[test]
fn an_unknown_routing_is_told_the_known_ones() {
    let text = spec(json!({"kind": "dragonfly", "p": 1, "routing": "valient"})).unwrap_err();
    assert!(text.contains("`minimal`, `valiant`, `ugal`"), "{text}");
}

#[test]
fn sizes_of_the_new_kinds_are_checked() {
    assert_eq!(error(json!({"kind": "fly", "k": 1, "stages": 2})), "k is 1, must be at least 2");
    let none = json!({"kind": "flattened_butterfly", "k": 2, "dimensions": 1, "concentration": 0});
    assert_eq!(error(none), "concentration is 0, must be at least 1");
    assert_eq!(error(json!({"kind": "dragonfly", "p": 0})), "p is 0, must be at least 1");
    assert!(error(json!({"kind": "dragonfly", "p": 900})).contains("more than"));
    let wide =
        json!({"kind": "flattened_butterfly", "k": 70000, "dimensions": 1, "concentration": 1});
    let result = spec(wide).unwrap().build(1);
    assert_eq!(result.unwrap_err(), FabricError::TooManyChannels);
    let given = TopologySpec::Dragonfly {
        p: 1,
        a: Some(2),
        h: Some(1),
        routing: Detour::Minimal,
        nodes: Some(7),
    };
    assert_eq!(given.build(1).unwrap_err(), FabricError::NodesDiffer { given: 7, actual: 6 });
}

#[test]
fn node_numbers_have_the_digits_of_their_place() {
    let sizes = |value| fabric(value).digit_sizes();
    assert_eq!(sizes(json!({"kind": "fly", "k": 3, "stages": 2})), Some(vec![3, 3]));
    let butterfly =
        json!({"kind": "flattened_butterfly", "k": 3, "dimensions": 2, "concentration": 4});
    assert_eq!(sizes(butterfly), Some(vec![4, 3, 3]));
    assert_eq!(sizes(json!({"kind": "dragonfly", "p": 2})), Some(vec![2, 4, 9]));
}
