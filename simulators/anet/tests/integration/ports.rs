//! The table of candidate ports that a user programs, in a file.

use crate::common::{HOP, ROUTING, SETUP, data, graph, network, network_with, run, when};
use mpi::{Happening, Transport};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Neighbours by which a router may send to another one.
type Candidates = fn(u32, u32) -> Vec<u32>;

/// A file with the candidates of every pair.
fn table(name: &str, candidates: Candidates) -> PathBuf {
    let pairs = (0..4).flat_map(|router| (0..4).map(move |destination| (router, destination)));
    let rows = pairs.filter(|(router, destination)| router != destination).flat_map(|(a, b)| {
        candidates(a, b).into_iter().map(move |next| format!("{a},{b},{next}\n"))
    });
    let text = format!("router,destination,next\n{}", rows.collect::<String>());
    let path = std::env::temp_dir().join(format!("weft-anet-{}-{name}.csv", std::process::id()));
    std::fs::write(&path, text).unwrap();
    path
}

fn ring() -> Value {
    graph(&[0, 1, 2, 3], &[(0, 1), (1, 2), (2, 3), (3, 0)])
}

/// The nearer way round.
fn nearer(router: u32, destination: u32) -> Vec<u32> {
    let is_behind = (destination + 4 - router) % 4 == 3;
    vec![(router + if is_behind { 3 } else { 1 }) % 4]
}

#[test]
fn messages_take_the_ways_of_the_file() {
    let onwards = table("onwards", |router, _| vec![(router + 1) % 4]);
    let mut programmed = network_with(&ring(), "ports_file", json!(onwards));
    let mut shortest = network(&ring());
    for (network, hops) in [(&mut programmed, 3), (&mut shortest, 1)] {
        network.send(0, data(0, 3, 35, 1));
        let all = run(network).unwrap();
        assert_eq!(when(&all, Happening::HeadArrived(1)), SETUP + hops * HOP + ROUTING);
    }
}

/// 0 to 2 may go by 1 or by 3. The first row is preferred, and the second one serves when the link of the
/// first is taken.
#[test]
fn the_first_row_of_a_pair_is_preferred() {
    let by_1: Candidates = |a, b| if (a, b) == (0, 2) { vec![1, 3] } else { nearer(a, b) };
    let by_3: Candidates = |a, b| if (a, b) == (0, 2) { vec![3, 1] } else { nearer(a, b) };
    for (name, candidates, detours) in [("by-1", by_1, 1), ("by-3", by_3, 0)] {
        let file = json!(table(name, candidates));
        let mut network = network_with(&ring(), "ports_file", file);
        // 1 holds the link between 0 and 1.
        network.send(0, data(1, 0, 4000, 1));
        network.send(3_000_000, data(0, 2, 35, 2));
        let all = run(&mut network).unwrap();
        let alone = 3_000_000 + SETUP + 2 * HOP + ROUTING;
        assert_eq!(when(&all, Happening::HeadArrived(2)), alone);
        let counts = programs::SimulatedNetwork::counts(&network);
        let found = counts.iter().find(|(key, _)| *key == "hops_detoured").unwrap().1;
        assert_eq!(found, detours, "{name}");
    }
}
