//! Links of different speed and latency: closed forms of lists and of programs.

use crate::common::job;
use crate::network_common::{arrival, data, parameters, run as run_all};
use crate::shards::{folder, journal, point, run};
use fabric::{Fabric, Links, LinksSpec, TopologySpec};
use flow::network::Network;
use flow::{Job, Model, simulate};
use mpi::{Nobody, Transport};
use programs::Parameters;
use serde_json::{Value, json};
use workload::{Message, Messages, Outstanding};

const MODELS: [Model; 2] = [Model::EqualShare, Model::MaxMin];

fn tree() -> Fabric {
    let spec = json!({"kind": "fat_tree", "k": 4, "levels": 2, "routing": "dmodk"});
    serde_json::from_value::<TopologySpec>(spec).unwrap().build(1).unwrap()
}

fn links(fabric: &Fabric, spec: Value) -> Links {
    let spec: LinksSpec = serde_json::from_value(spec).unwrap();
    Links::new(&spec, fabric, 1e9).unwrap()
}

/// When the messages of a list are there, of 1 GB/s and with these latencies.
fn finish_s(spec: Value, list: &[(u32, u32, u64)], model: Model) -> Vec<f64> {
    let fabric = tree();
    let links = links(&fabric, spec);
    let list: Vec<Message> =
        list.iter().map(|&(src, dst, bytes)| Message { src, dst, bytes, start_s: 0.0 }).collect();
    let messages = Messages::explicit(16, &list);
    let plain = job(&fabric, &messages, model);
    let outcome = simulate(&Job {
        links: &links,
        bandwidth_bytes_per_s: 1e9,
        latency_s: 1e-6,
        hop_latency_s: 1e-7,
        outstanding: Outstanding::All,
        ..plain
    });
    outcome.finish_s
}

fn assert_close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found / expected - 1.0).abs() < 1e-9, "{found} instead of {expected}");
    }
}

#[test]
fn a_message_takes_the_latencies_of_its_links_and_the_time_of_the_slowest() {
    let slow_up = json!({"links": [
        {"channels": ["up"], "slower": 2.0, "latency_s": 3e-7},
        {"channels": ["ejection"], "bandwidth_bytes_per_s": 2.5e8, "latency_s": 5e-8},
        {"channels": ["ejection/1"], "bandwidth_bytes_per_s": 2e9},
    ]});
    for model in MODELS {
        // Over a link upwards and one downwards; within a router.
        let both = finish_s(slow_up.clone(), &[(0, 15, 1000)], model);
        assert_close(&both, &[1e-6 + 3e-7 + 1e-7 + 5e-8 + 4e-6]);
        // A name overrides a class, as a whole.
        let within = finish_s(slow_up.clone(), &[(0, 1, 1000)], model);
        assert_close(&within, &[1e-6 + 1e-6]);
    }
}

#[test]
fn flows_share_what_a_slow_link_can_carry() {
    // By `dmodk`, 0 to 4 and 1 to 8 share a link upwards; 2 to 5 has one for itself.
    let tapered = json!({"taper": 4.0});
    let list = [(0, 4, 1000), (1, 8, 1000), (2, 5, 1000)];
    for model in MODELS {
        assert_close(
            &finish_s(tapered.clone(), &list, model),
            &[1.2e-6 + 8e-6, 1.2e-6 + 8e-6, 1.2e-6 + 4e-6],
        );
    }
}

#[test]
fn max_min_gives_others_what_a_slow_link_leaves() {
    // Both leave node 0; one of them crosses a slow cable.
    let slow = json!({"links": [{"channels": ["ejection/4"], "slower": 10.0}]});
    let list = [(0, 4, 1000), (0, 1, 1800)];
    assert_close(
        &finish_s(slow.clone(), &list, Model::MaxMin),
        &[1.2e-6 + 10e-6, 1e-6 + 0.2e-6 + (1800.0 - 200.0) / 0.9e9],
    );
    let equal = finish_s(slow, &list, Model::EqualShare);
    assert_close(&equal, &[1.2e-6 + 10e-6, 1e-6 + 0.2e-6 + (1800.0 - 200.0) / 0.5e9]);
}

#[test]
fn a_faster_link_carries_more_than_the_network_says() {
    let spec = json!({"links": [
        {"channels": ["injection", "ejection", "up", "down"], "bandwidth_bytes_per_s": 4e9},
    ]});
    for model in MODELS {
        assert_close(&finish_s(spec.clone(), &[(0, 15, 1000)], model), &[1.2e-6 + 0.25e-6]);
    }
}

/// Of a program's transfer: the same sum, to the picosecond.
#[test]
fn a_transfer_of_a_program_takes_the_latencies_of_its_links_and_the_time_of_the_slowest() {
    let fabric = tree();
    let spec = json!({"links": [{"channels": ["down"], "slower": 2.5, "latency_s": 4e-7}]});
    let network = json!({"bandwidth_bytes_per_s": 1e9, "latency_s": 1e-6, "hop_latency_s": 1e-7});
    let parameters = Parameters { links: links(&fabric, spec), ..parameters(network) };
    for model in MODELS {
        let mut network = Network::new(&fabric, &parameters, model, Nobody).unwrap();
        network.send(0, data(0, 15, 1000, 1));
        assert_eq!(
            arrival(&run_all(&mut network), 1),
            1_000_000 + 100_000 + 400_000 + 2_500_000,
            "{model:?}"
        );
    }
}

#[test]
fn utilisation_is_of_what_each_link_can_carry() {
    let mut topology =
        json!({"kind": "fat_tree", "k": 2, "levels": 2, "routing": "dmodk", "nodes": 4});
    topology["links"] = json!([{"channels": ["injection"], "slower": 2.0}]);
    let workload = json!({"kind": "messages", "pattern": "bit_complement", "per_node": 1,
        "outstanding": "all", "message_bytes": [1000], "include_self": false});
    let folder = folder("mixed-links");
    let mut asked = point("slow", topology, workload);
    asked["network"] = json!({"bandwidth_bytes_per_s": 1e9});
    asked["options"]["tables"] = json!(["links"]);
    assert!(run(&folder, &[asked], "1").status.success());
    let lines = journal(&folder);
    assert_eq!(lines[0]["status"], "done", "{}", lines[0]["error"]);
    let metrics = lines[0]["metrics"].as_array().unwrap();
    let most = metrics.iter().find(|row| row["metric"] == "link_utilisation_max").unwrap();
    // Injection is all that a node waits for.
    assert_eq!(most["value"], 1.0);
    let table = std::fs::read_to_string(folder.join("out/links-slow.csv")).unwrap();
    assert!(table.contains("\ninjection/0,injection,node 0,router 0,1000,0.000002,1\n"), "{table}");
    assert!(table.contains("\nejection/0,ejection,router 0,node 0,1000,0.000002,0.5\n"), "{table}");
}

#[test]
fn a_point_with_a_link_that_is_not_there_fails_by_its_name() {
    let mut topology = json!({"kind": "mesh", "sizes": [3, 3], "nodes": 9});
    topology["links"] = json!([{"channels": ["x+/2"], "slower": 2.0}]);
    let folder = folder("no-such-link");
    run(&folder, &[point("wrong", topology, crate::shards::uniform(&[8]))], "1");
    let error = journal(&folder)[0]["error"].as_str().unwrap().to_string();
    assert!(error.contains("x+/2") && error.contains("injection, x+, x-, y+, y-"), "{error}");
}
