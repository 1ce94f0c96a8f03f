//! What the network refuses, and how.

use crate::common::{cube, graph, options, try_network};
use serde_json::{Value, json};

fn refused(topology: &Value) -> String {
    try_network(topology, options()).map(|_| ()).unwrap_err()
}

#[test]
fn topologies_of_other_routers_are_refused() {
    let star: Vec<(u32, u32)> = (1..8).map(|router| (0, router)).collect();
    for (topology, expected) in [
        (
            json!({"kind": "hypercube", "dimensions": 7}),
            "router 0 has 7 links to other routers, must be at most 6 for anet",
        ),
        (graph(&[0, 1], &star), "leaf0 has 7 links to other routers, must be at most 6"),
        (json!({"kind": "crossbar", "nodes": 4}), "router 0 has more than 2 nodes"),
        (json!({"kind": "fly", "k": 2, "stages": 2}), "receives from router"),
        (
            json!({"kind": "torus", "sizes": [128, 64], "ties": "plus"}),
            "the topology has 8192 routers, must be at most 4096 for anet",
        ),
    ] {
        let error = refused(&topology);
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn options_have_limits() {
    for (key, value, expected) in [
        ("routing_s", json!(-1.0), "routing_s is -1, must be within 0..1 s"),
        ("link_s", json!(2.0), "link_s is 2, must be within 0..1 s"),
        ("turns", json!(0), "turns is 0, must be at least 1"),
        ("choice", json!("any"), "unknown variant `any`, expected one of `first_free`"),
        ("ports_file", json!("/nowhere/ports.csv"), "/nowhere/ports.csv: No such file"),
    ] {
        let mut options = options();
        options[key] = value;
        let error = try_network(&cube(), options).map(|_| ()).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_check_finds_mistakes_of_topology_and_ports_without_a_program() {
    let file = std::env::temp_dir().join(format!("weft-anet-check-{}.csv", std::process::id()));
    std::fs::write(&file, "router,destination,next\n0,1,1\n0,2,16\n").unwrap();
    let checked = |topology: &Value, ports: Value| {
        let point = json!({"seed": 1, "topology": topology, "ports_file": ports});
        anet::check(point.to_string().as_bytes())
    };
    assert_eq!(checked(&cube(), Value::Null), Ok(()));
    let error = checked(&cube(), json!(file)).unwrap_err();
    assert!(error.ends_with("csv:3: must be three numbers of routers below 16"), "{error}");
    let failed = json!({"links": ["d0/0", "d1/0", "d2/0", "d3/0"]});
    let cut = json!({"kind": "hypercube", "dimensions": 4, "routing": "ecmp", "failed": failed});
    let error = checked(&cut, Value::Null).unwrap_err();
    assert!(error.contains("no path"), "{error}");
    std::fs::remove_file(file).unwrap();
}
