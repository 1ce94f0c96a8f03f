//! `weft-flow routes`: what it prints of a point, and what it refuses.

use fabric::{Described, Flow, TopologySpec};
use flow::{write_needs, write_routes};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

fn printed(point: &Value) -> Result<Vec<Value>, String> {
    let mut out = Vec::new();
    write_routes(&mut point.to_string().as_bytes(), &mut out)?;
    let text = String::from_utf8(out).unwrap();
    Ok(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn mesh() -> Value {
    json!({"kind": "mesh", "sizes": [2, 2], "nodes": 4})
}

fn listed(include_self: bool) -> Value {
    json!({"kind": "messages", "pattern": "uniform", "per_node": 3, "message_bytes": [8],
           "include_self": include_self})
}

fn pair(line: &Value) -> (u64, u64) {
    (line["src"].as_u64().unwrap(), line["dst"].as_u64().unwrap())
}

#[test]
fn messages_come_in_their_order_and_each_pair_once() {
    let lines = printed(&json!({"seed": 1, "topology": mesh(), "workload": listed(true)})).unwrap();
    // 4 + 4 channels of nodes, and 4 cables of two directions.
    assert_eq!(lines[0], json!({"nodes": 4, "channels": 16}));
    let messages: Vec<_> = lines.iter().filter(|line| !line["message"].is_null()).collect();
    let numbers: Vec<_> = messages.iter().map(|line| line["message"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (0..12).collect::<Vec<_>>());
    assert!(messages.iter().all(|line| line["bytes"].is_null()));
    let mut wanted: Vec<_> = messages.iter().map(|line| pair(line)).collect();
    wanted.retain(|(src, dst)| src != dst);
    wanted.sort_unstable();
    wanted.dedup();
    let routes = lines.iter().filter(|line| line["channels"].is_array());
    assert_eq!(routes.map(pair).collect::<Vec<_>>(), wanted);
}

#[test]
fn without_a_list_all_pairs_have_the_routes_of_the_fabric() {
    let lines = printed(&json!({"seed": 1, "topology": mesh()})).unwrap();
    assert_eq!(lines.len(), 1 + 4 * 3);
    let fabric = TopologySpec::deserialize(mesh()).unwrap().build(1).unwrap();
    for line in &lines[1..] {
        let (src, dst) = pair(line);
        let mut path = Vec::new();
        fabric.route(src as u32, dst as u32, &mut path);
        assert_eq!(line["channels"], json!(path));
        assert_eq!(line["hops"], json!(path.len() - 2));
    }
}

#[test]
fn routes_have_the_class_of_every_channel_where_it_is_asked_for() {
    let topology = json!({"kind": "torus", "sizes": [5], "ties": "plus", "nodes": 5});
    let asked = |classes| json!({"seed": 1, "topology": topology, "classes": classes});
    let lines = printed(&asked(true)).unwrap();
    let route = |src, dst| lines.iter().find(|line| line["src"] == src && line["dst"] == dst);
    // Class 1 where the route takes the wrap-around channel upwards, with two hops, and else 0.
    assert_eq!(route(4, 1).unwrap()["classes"], json!([0, 1, 1, 0]));
    assert_eq!(route(0, 2).unwrap()["classes"], json!([0, 0, 0, 0]));
    assert!(printed(&asked(false)).unwrap()[1]["classes"].is_null());
}

/// Of messages between two nodes, each may take another way.
#[test]
fn all_ways_of_a_pair_are_printed_where_messages_choose() {
    let tree = |routing| json!({"kind": "fat_tree", "k": 4, "levels": 2, "routing": routing});
    let printed = |routing| {
        printed(&json!({"seed": 1, "topology": tree(routing), "nodes": [0, 15]})).unwrap()
    };
    assert_eq!(printed("ecmp_pair").len(), 1 + 2);
    let lines = printed("ecmp");
    let found: BTreeSet<Vec<u32>> = lines[1..]
        .iter()
        .filter(|line| pair(line) == (0, 15))
        .map(|line| serde_json::from_value(line["channels"].clone()).unwrap())
        .collect();
    let fabric = Described::deserialize(tree("ecmp")).unwrap().topology.build(1).unwrap();
    let taken = |message| {
        let mut path = vec![];
        fabric.route_of(Flow { src: 0, dst: 15, message }, &mut path);
        path
    };
    // Between the leaves of both nodes lie four spines.
    assert_eq!((found.len(), lines.len()), (4, 1 + 2 * 4));
    assert_eq!(found, (0..200).map(taken).collect());
}

#[test]
fn needed_virtual_channels_are_those_without_deadlock() {
    let needs = |topology: Value| {
        let mut out = vec![];
        write_needs(&mut json!({"topology": topology}).to_string().as_bytes(), &mut out).unwrap();
        serde_json::from_slice::<Value>(&out).unwrap()
    };
    let mesh = needs(mesh());
    assert_eq!((&mesh["at_least"], &mesh["multiple_of"]), (&json!(1), &json!(1)));
    let torus = needs(json!({"kind": "torus", "sizes": [4], "ties": "plus"}));
    assert_eq!((&torus["at_least"], &torus["multiple_of"]), (&json!(2), &json!(2)));
    assert_eq!(torus["because"], "one for each class of a ring");
}

#[test]
fn some_nodes_and_both_ways_are_what_is_asked_for() {
    let some = json!({"seed": 1, "topology": mesh(), "nodes": [3, 0]});
    assert_eq!(printed(&some).unwrap()[1..].iter().map(pair).collect::<Vec<_>>(), [(0, 3), (3, 0)]);
    let list = std::env::temp_dir().join(format!("weft-routes-{}.csv", std::process::id()));
    std::fs::write(&list, "src,dst,bytes,start_s\n2,1,70,0.5\n").unwrap();
    let workload = json!({"kind": "messages", "pattern": "file", "file": list});
    let both = json!({"seed": 1, "topology": mesh(), "workload": workload, "both_ways": true});
    let lines = printed(&both).unwrap();
    std::fs::remove_file(list).unwrap();
    let message = json!({"message": 0, "src": 2, "dst": 1, "bytes": 70, "start_s": 0.5});
    assert_eq!(lines[1], message);
    assert_eq!(lines[2..].iter().map(pair).collect::<Vec<_>>(), [(1, 2), (2, 1)]);
}

#[test]
fn what_has_no_static_route_or_no_node_is_refused() {
    let cube = json!({"kind": "hypercube", "dimensions": 3, "routing": "minimal_adaptive"});
    let reason = printed(&json!({"seed": 1, "topology": cube})).unwrap_err();
    assert!(reason.contains("minimal_adaptive has no static route"), "{reason}");
    let beyond = printed(&json!({"seed": 1, "topology": mesh(), "nodes": [0, 4]})).unwrap_err();
    assert_eq!(beyond, "node 4 is beyond the 4 nodes");
    let program = json!({"kind": "program"});
    let point = json!({"seed": 1, "topology": mesh(), "workload": program});
    assert_eq!(printed(&point).unwrap_err(), "program has no list of messages; leave out workload");
}

#[test]
fn the_command_prints_the_same_and_names_a_mistake() {
    let point = json!({"seed": 3, "topology": mesh(), "workload": listed(false)}).to_string();
    let run = |input: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_weft-flow"));
        command.arg("routes").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    };
    let mut wanted = Vec::new();
    write_routes(&mut point.as_bytes(), &mut wanted).unwrap();
    assert_eq!(run(&point).stdout, wanted);
    let mistaken = run("{}");
    assert_eq!(mistaken.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&mistaken.stderr).contains("missing field `seed`"));
}
