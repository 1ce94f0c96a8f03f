//! A survey over more shapes, settings and loads than `network_flits.rs`, for the table in
//! `docs/rdma.md`; takes minutes: `cargo test --release -p rdma --test
//! integration network_survey:: -- --ignored --nocapture`.

use crate::flit_level::{Case, Found, pairs};
use crate::network_common::enough_vcs;
use serde_json::{Value, json};

const SEEDS: u64 = 3;

/// Mean and standard error, in percent, of how far packets are off flits.
fn off(pairs: &[(Found, Found)], of: impl Fn(&Found) -> f64) -> (f64, f64) {
    let count = pairs.len() as f64;
    let offs: Vec<f64> = pairs.iter().map(|(f, p)| 100.0 * (of(p) / of(f) - 1.0)).collect();
    let mean = offs.iter().sum::<f64>() / count;
    let square = offs.iter().map(|off| (off - mean).powi(2)).sum::<f64>();
    (mean, (square / (count - 1.0) / count).sqrt())
}

fn case(topology: &Value, setting: &(u16, u16, u64, Vec<u64>), load: f64, cycles: u64) -> Case {
    let (vcs, buffer_flits, packet_flits, messages) = setting.clone();
    let topology = topology.clone();
    Case { topology, vcs, buffer_flits, packet_flits, messages, shift: None, load, cycles }
}

fn settings() -> Vec<(u16, u16, u64, Vec<u64>)> {
    vec![
        (2, 16, 4, vec![4]),
        (2, 8, 8, vec![8]),
        (2, 64, 16, vec![16, 40, 5]),
        (4, 64, 16, vec![16]),
        (4, 32, 8, vec![1, 8, 24]),
    ]
}

/// Prints, per topology and load, the setting that is farthest off: in the latency of packets, in the
/// time of messages, in the accepted rate. A load counts as below saturation if all of it is accepted
/// and messages take at most three times as long as nearly alone.
#[test]
#[ignore = "a survey of minutes for the documentation"]
fn deviations_of_every_topology() {
    for topology in [
        json!({"kind": "crossbar", "nodes": 8}),
        json!({"kind": "mesh", "sizes": [4, 4]}),
        json!({"kind": "torus", "ties": "plus", "sizes": [4, 4]}),
        json!({"kind": "hypercube", "dimensions": 4}),
        json!({"kind": "fat_tree", "k": 4, "levels": 2}),
        json!({"kind": "flattened_butterfly", "k": 4, "dimensions": 2}),
        json!({"kind": "dragonfly", "p": 2, "a": 2, "h": 1}),
    ] {
        for setting in settings() {
            let loads = [0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 1.0];
            let name = topology["kind"].as_str().unwrap();
            print_loads(name, &case(&topology, &setting, 0.0, 10_000), &loads);
        }
    }
}

/// Prints how far packets are off at each load; the first one is the lowest.
fn print_loads(name: &str, case: &Case, loads: &[f64]) {
    let mut alone = f64::INFINITY;
    for &load in loads {
        let pairs = pairs(&Case { load, ..case.clone() }, SEEDS);
        let message = pairs.iter().map(|(f, _)| f.message).sum::<f64>() / SEEDS as f64;
        alone = alone.min(message);
        let (network, message_off) = (off(&pairs, |f| f.network), off(&pairs, |f| f.message));
        let accepted = off(&pairs, |f| f.accepted);
        let setting = (case.vcs, case.buffer_flits, case.packet_flits, &case.messages);
        println!(
            "{name} {setting:?} load {load}: {:.1} x alone; network {:+.2}({:.2}) %, \
             message {:+.2}({:.2}) %, accepted {:+.2}({:.2}) %",
            message / alone,
            network.0,
            network.1,
            message_off.0,
            message_off.1,
            accepted.0,
            accepted.1
        );
    }
}

/// The same for routes that packets choose on their way, also where all nodes of a group or a router
/// send to the next one.
#[test]
#[ignore = "a survey of minutes for the documentation"]
fn deviations_of_routes_chosen_on_the_way() {
    let tree = json!({"kind": "fat_tree", "k": 4, "levels": 2});
    let cube = json!({"kind": "hypercube", "dimensions": 4});
    let butterfly =
        json!({"kind": "flattened_butterfly", "k": 4, "dimensions": 2, "concentration": 2});
    let dragonfly = json!({"kind": "dragonfly", "p": 2, "a": 4, "h": 2});
    for (topology, routing, shift) in [
        (&tree, "nca", None),
        (&tree, "anca", None),
        (&cube, "minimal_adaptive", None),
        (&butterfly, "valiant", None),
        (&butterfly, "ugal", None),
        (&butterfly, "ugal", Some(2)),
        (&dragonfly, "valiant", None),
        (&dragonfly, "ugal", None),
        (&dragonfly, "valiant", Some(8)),
        (&dragonfly, "ugal", Some(8)),
    ] {
        let mut topology = topology.clone();
        topology["routing"] = json!(routing);
        let to = if shift.is_some() { "_next" } else { "" };
        let name = format!("{}_{routing}{to}", topology["kind"].as_str().unwrap());
        for (vcs, buffer_flits, packet_flits, messages) in settings() {
            let vcs = enough_vcs(&topology, vcs.into()) as u16;
            let case = case(&topology, &(vcs, buffer_flits, packet_flits, messages), 0.0, 10_000);
            print_loads(&name, &Case { shift, ..case }, &[0.05, 0.1, 0.2, 0.3, 1.0]);
        }
    }
}

/// What is farthest off in the survey, over longer runs and more of them.
#[test]
#[ignore = "a survey of minutes for the documentation"]
fn deviations_of_the_worst_cases_in_long_runs() {
    let (mixed, four) = ((2, 64, 16, vec![16, 40, 5]), (4, 64, 16, vec![16]));
    let small = (4, 32, 8, vec![1, 8, 24]);
    let dragonfly = json!({"kind": "dragonfly", "p": 2, "a": 2, "h": 1});
    let butterfly = json!({"kind": "flattened_butterfly", "k": 4, "dimensions": 2});
    for (topology, setting, load) in [
        (json!({"kind": "crossbar", "nodes": 8}), &mixed, 0.3),
        (json!({"kind": "fat_tree", "k": 4, "levels": 2}), &mixed, 0.4),
        (butterfly, &small, 0.4),
        (dragonfly.clone(), &mixed, 0.2),
        (dragonfly.clone(), &mixed, 0.3),
        (dragonfly, &mixed, 1.0),
        (json!({"kind": "mesh", "sizes": [4, 4]}), &four, 1.0),
        (json!({"kind": "torus", "ties": "plus", "sizes": [4, 4]}), &four, 1.0),
    ] {
        let name = topology["kind"].as_str().unwrap();
        print_long_runs(name, &case(&topology, setting, load, 30_000));
    }
}

fn print_long_runs(name: &str, case: &Case) {
    let pairs = pairs(case, 10);
    let seen = |of: fn(&Found) -> f64| {
        let (mean, error) = off(&pairs, of);
        format!("{mean:+.2} ({error:.2}) %")
    };
    let setting = (case.vcs, case.buffer_flits, case.packet_flits, &case.messages);
    println!(
        "{name} {setting:?} load {}: network {}, message {}, accepted {}",
        case.load,
        seen(|f| f.network),
        seen(|f| f.message),
        seen(|f| f.accepted)
    );
}

/// The same of routes that packets choose on their way: the dragonfly's worst case near saturation, which
/// `valiant` reaches at a load of 0.32. At 0.3 queues change so slowly that ten runs leave half a percent
/// of uncertainty, although packets of both networks draw the same detours.
#[test]
#[ignore = "a survey of minutes for the documentation"]
fn deviations_of_the_worst_cases_on_the_way_in_long_runs() {
    for (routing, setting, load) in [
        ("valiant", (3, 16, 4, vec![4]), 0.28),
        ("valiant", (3, 16, 4, vec![4]), 0.29),
        ("valiant", (3, 16, 4, vec![4]), 0.3),
        ("valiant", (4, 64, 16, vec![16]), 1.0),
        ("ugal", (3, 8, 8, vec![8]), 0.1),
        ("ugal", (4, 32, 8, vec![1, 8, 24]), 0.2),
        ("ugal", (4, 64, 16, vec![16]), 1.0),
    ] {
        let topology = json!({"kind": "dragonfly", "p": 2, "a": 4, "h": 2, "routing": routing});
        let case = Case { shift: Some(8), ..case(&topology, &setting, load, 30_000) };
        print_long_runs(&format!("dragonfly_{routing}_next"), &case);
    }
}
