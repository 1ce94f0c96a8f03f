//! Topologies do what the catalogue says of them. These tests take every topology from the catalogue.

use crate::common::graphs::spec;
use crate::common::{dependencies_have_a_cycle, route};
use fabric::{About, End, Fabric, KeyDefault, KeyType, LinksSpec, TOPOLOGIES, TopologySpec};
use serde_json::{Map, Value};

type Words = Vec<(&'static str, &'static str)>;

/// Every example with every choice, and the words of that.
fn specs(about: &About) -> Vec<(TopologySpec, Words, String)> {
    let mut found = vec![];
    for example in about.examples {
        for words in about.choices() {
            let mut spec: Map<String, Value> = serde_json::from_str(example).unwrap();
            spec.insert("kind".into(), about.kind.into());
            spec.extend(words.iter().map(|(key, word)| ((*key).into(), (*word).into())));
            let name = Value::Object(spec.clone()).to_string();
            found.push((serde_json::from_value(Value::Object(spec)).unwrap(), words, name));
        }
    }
    found
}

/// Every example with every static routing.
fn static_fabrics() -> Vec<(Fabric, String)> {
    let all = TOPOLOGIES.iter().flat_map(|about| specs(about));
    all.filter_map(|(spec, _, name)| spec.build(1).ok().map(|fabric| (fabric, name))).collect()
}

#[test]
fn a_fabric_knows_its_entry_and_its_routing() {
    for about in TOPOLOGIES {
        let is_file = about.keys.iter().any(|key| key.kind == KeyType::File);
        assert_eq!(about.examples.is_empty(), is_file, "{}", about.kind);
        for (spec, words, name) in specs(about) {
            let fabric = spec.build_channels(1).unwrap();
            assert_eq!(fabric.about().kind, about.kind, "{name}");
            let chosen = words.iter().find(|(key, _)| *key == "routing");
            let expected = chosen.map_or(about.routings[0].name, |(_, word)| word);
            assert_eq!(fabric.routing().name, expected, "{name}");
            assert_eq!(spec.build(1).is_ok(), fabric.routing().is_static, "{name}");
        }
    }
}

/// The catalogue says defaults once: planning writes them into every spec.
#[test]
fn a_choice_that_a_spec_leaves_out_is_refused_or_has_the_default_of_the_catalogue() {
    for about in TOPOLOGIES {
        let keys = about.keys.iter().filter(|key| key.kind == KeyType::Choice);
        for (key, example) in keys.flat_map(|key| about.examples.iter().map(move |e| (key, e))) {
            let mut spec: Map<String, Value> = serde_json::from_str(example).unwrap();
            spec.insert("kind".into(), about.kind.into());
            let read = serde_json::from_value::<TopologySpec>(Value::Object(spec));
            let name = format!("{} {}", about.kind, key.name);
            match (read, key.default) {
                (Ok(spec), KeyDefault::Word(word)) if key.name == "routing" => {
                    assert_eq!(spec.build_channels(1).unwrap().routing().name, word, "{name}");
                }
                (Ok(_), _) => panic!("{name} has a default of its own"),
                (Err(error), _) => {
                    assert_eq!(error.to_string(), format!("missing field `{}`", key.name));
                    assert!(!key.unsaid, "{name} is left out of specs");
                }
            }
        }
    }
}

#[test]
fn no_word_can_be_read_that_the_catalogue_lacks() {
    for about in TOPOLOGIES.iter().filter(|about| !about.examples.is_empty()) {
        for key in about.keys.iter().filter(|key| key.kind == KeyType::Choice) {
            let mut spec: Map<String, Value> = serde_json::from_str(about.examples[0]).unwrap();
            spec.insert("kind".into(), about.kind.into());
            spec.insert(key.name.into(), "nonsense".into());
            let wrong = serde_json::from_value::<TopologySpec>(Value::Object(spec)).unwrap_err();
            let words: Vec<String> =
                about.words(key).iter().map(|word| format!("`{word}`")).collect();
            let known = wrong.to_string().split(", expected ").nth(1).unwrap().to_string();
            let known: Vec<&str> = known.split(['`']).skip(1).step_by(2).collect();
            let known: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
            assert_eq!(known, words, "{} {}", about.kind, key.name);
        }
    }
}

#[test]
fn every_static_route_is_a_shortest_path_to_its_destination() {
    for (fabric, name) in static_fabrics() {
        for (src, dst) in (0..fabric.nodes()).flat_map(|s| (0..fabric.nodes()).map(move |d| (s, d)))
        {
            let path = route(&fabric, src, dst);
            assert!(path.len() <= fabric.longest_route(), "{name}");
            if src == dst {
                continue;
            }
            assert!(path.iter().all(|&channel| fabric.exists(channel)), "{name}");
            assert_eq!(fabric.ends(path[0]).0, End::Node(src), "{name}");
            assert_eq!(fabric.ends(path[path.len() - 1]).1, End::Node(dst), "{name}");
            let joined = path.windows(2).all(|two| fabric.ends(two[0]).1 == fabric.ends(two[1]).0);
            assert!(joined, "{name}: {src} to {dst}");
            assert_eq!(Fabric::hops(path.len()) as u32, fabric.distance(src, dst), "{name}");
        }
    }
}

#[test]
fn static_routes_have_the_classes_that_the_catalogue_says_and_no_circle() {
    for (fabric, name) in static_fabrics() {
        assert!(!dependencies_have_a_cycle(&fabric, true), "{name}");
        let nodes = 0..fabric.nodes();
        let pairs = nodes.clone().flat_map(|src| nodes.clone().map(move |dst| (src, dst)));
        let most = pairs.flat_map(|(s, d)| fabric.virtual_classes(&route(&fabric, s, d))).max();
        assert!(u16::from(most.unwrap_or(0)) < fabric.routing().classes, "{name}");
    }
}

#[test]
fn every_port_leads_somewhere_and_back() {
    for (fabric, name) in static_fabrics() {
        let mut inputs = std::collections::HashSet::new();
        for channel in (0..fabric.channels()).filter(|&c| fabric.exists(c)) {
            if let (End::Router(router), Some(port)) =
                (fabric.ends(channel).1, fabric.input_port(channel))
            {
                assert!(port < fabric.ports(router), "{name}: {}", fabric.name(channel));
                assert!(inputs.insert((router, port)), "{name}: {}", fabric.name(channel));
            }
        }
    }
}

#[test]
fn an_exported_topology_has_the_same_channels_routes_and_classes() {
    for (fabric, name) in static_fabrics() {
        let file: Value =
            serde_json::from_str(&fabric.exported(&LinksSpec::default()).unwrap()).unwrap();
        let mut text = spec(&file, "table");
        text["nodes"] = fabric.nodes().into();
        let graph = serde_json::from_value::<TopologySpec>(text).unwrap().build(1).unwrap();
        assert_eq!(
            (graph.channels(), graph.routers()),
            (fabric.channels(), fabric.routers()),
            "{name}"
        );
        assert_eq!(graph.vc_classes().unwrap().0, fabric.vc_classes().unwrap().0, "{name}");
        for channel in 0..fabric.channels() {
            assert_eq!(graph.exists(channel), fabric.exists(channel), "{name}");
            if fabric.exists(channel) {
                let of =
                    |f: &Fabric| (f.ends(channel), f.input_port(channel), f.output_port(channel));
                assert_eq!(of(&graph), of(&fabric), "{name}");
                assert_eq!(graph.name(channel), fabric.name(channel), "{name}");
                assert_eq!(graph.class(channel), fabric.class(channel), "{name}");
            }
        }
        for router in 0..fabric.routers() {
            assert_eq!(graph.ports(router), fabric.ports(router), "{name}");
        }
        for (src, dst) in (0..fabric.nodes()).flat_map(|s| (0..fabric.nodes()).map(move |d| (s, d)))
        {
            let path = route(&fabric, src, dst);
            assert_eq!(route(&graph, src, dst), path, "{name}");
            assert_eq!(graph.virtual_classes(&path), fabric.virtual_classes(&path), "{name}");
        }
    }
}
