//! Topologies that a point may name, and the errors about others.

use fabric::{Detour, Fabric, FabricError, KeyType, TopologySpec, UpRouting};
use proptest::prelude::*;
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
fn an_error_about_a_routing_without_static_routes_names_those_with() {
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
fn an_error_about_an_unknown_routing_names_the_known_ones() {
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

/// Numbers at which sums and products may go wrong, and values that are no numbers.
fn any_value() -> impl Strategy<Value = Value> {
    let edges = [0, 1, 24, 25, 32, 33, 64, 4096, 1 << 24, (1 << 24) + 1, u64::from(u32::MAX)];
    prop_oneof![
        6 => (0_u64..9).prop_map(Value::from),
        3 => prop::sample::select(edges.to_vec()).prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        1 => prop::sample::select(vec![json!(-1), json!(2.5), json!("2"), json!(null), json!([])]),
    ]
}

/// A list of a few sizes, or of one size and many dimensions of one node.
fn any_list() -> impl Strategy<Value = Value> {
    let flat = (any_value(), 0_usize..200).prop_map(|(size, ones)| {
        std::iter::once(size).chain(std::iter::repeat_n(json!(1), ones)).collect::<Vec<_>>()
    });
    prop_oneof![2 => prop::collection::vec(any_value(), 0..4), 1 => flat].prop_map(Value::from)
}

/// All topologies but those that are a file.
fn with_examples() -> Vec<&'static fabric::About> {
    fabric::TOPOLOGIES.into_iter().filter(|about| !about.examples.is_empty()).collect()
}

/// A topology with any value for each of its keys.
fn any_topology() -> impl Strategy<Value = Value> {
    prop::sample::select(with_examples()).prop_flat_map(|about| {
        let keys = about.keys.iter().map(|key| match key.kind {
            KeyType::Integer => any_value().boxed(),
            KeyType::Integers => any_list().boxed(),
            KeyType::File | KeyType::Text | KeyType::Texts => Just(json!("none")).boxed(),
            KeyType::Choice => {
                let mut words = about.words(key);
                words.push("nonsense");
                prop::sample::select(words).prop_map(Value::from).boxed()
            }
        });
        keys.collect::<Vec<_>>().prop_map(|values| {
            let names = about.keys.iter().map(|key| key.name.to_string());
            let mut spec: serde_json::Map<String, Value> = names.zip(values).collect();
            spec.insert("kind".into(), about.kind.into());
            Value::Object(spec)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 4096, failure_persistence: None, ..ProptestConfig::default()
    })]
    /// Whatever a spec holds, it is refused with a reason, or all its channels have numbers.
    #[test]
    fn any_topology_is_built_or_refused(topology in any_topology(), pair: (u32, u32)) {
        let Ok(spec) = spec(topology) else { return Ok(()) };
        let fabric = match spec.build_channels(7) {
            Ok(fabric) => fabric,
            Err(error) => {
                let text = error.to_string();
                prop_assert!(text.contains("must be") || text.contains("more than"), "{}", text);
                return Ok(());
            }
        };
        let nodes = fabric.nodes();
        prop_assert!(nodes >= 1 && u64::from(nodes) <= fabric::MAX_NODES);
        prop_assert!(u64::from(fabric.channels()) >= 2 * u64::from(nodes));
        // An output port of a router begins a channel. Routers may differ in how many they have.
        if fabric.routers() < 10_000 {
            let ports: u32 = (0..fabric.routers()).map(|router| fabric.ports(router)).sum();
            prop_assert!(nodes <= ports && ports <= fabric.channels());
        }
        if fabric.longest_route() < 10_000 {
            let mut path = vec![];
            fabric.route(pair.0 % nodes, pair.1 % nodes, &mut path);
            prop_assert!(path.len() <= fabric.longest_route());
            prop_assert!(path.iter().all(|&channel| fabric.exists(channel)));
        }
    }
}
