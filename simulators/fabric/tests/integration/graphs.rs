//! Graphs from files: their routes are what their routings promise, and bad files are refused.

use crate::common::graphs::{self, Links, spec};
use crate::common::{dependencies_have_a_cycle, route};
use fabric::{End, Fabric, TopologySpec, TorusClasses};
use proptest::prelude::*;
use serde_json::{Value, json};

pub fn build(spec: &Value, seed: u64) -> Result<Fabric, String> {
    let read: TopologySpec = serde_json::from_value(spec.clone()).map_err(|e| e.to_string())?;
    read.build(seed).map_err(|e| e.to_string())
}

pub fn vcs(fabric: &Fabric) -> Result<u16, String> {
    let needed = fabric.needed_vcs(TorusClasses::Dateline);
    needed.map(|needed| needed.at_least).map_err(|e| e.to_string())
}

/// Channels of the shortest way between all pairs of switches, of `turn`s that a packet may make: from
/// a state and a link to the next state. Of each switch the better state counts at the beginning.
fn lengths(links: &Links, turn: impl Fn(u32, u32, u32) -> Option<u32>) -> Vec<Vec<u32>> {
    let switches = links.switches as usize;
    let both = links.links.iter().flat_map(|&(one, other)| [(one, other), (other, one)]);
    let both: Vec<(u32, u32)> = both.collect();
    let mut all = vec![];
    for start in 0..switches {
        let mut far = vec![[u32::MAX; 2]; switches];
        far[start][0] = 0;
        // As often as a way can be long (Bellman and Ford).
        for _ in 0..2 * switches {
            for &(from, to) in &both {
                for state in 0..2 {
                    let so_far = far[from as usize][state as usize];
                    if let Some(then) = turn(state, from, to).filter(|_| so_far < u32::MAX) {
                        let place = &mut far[to as usize][then as usize];
                        *place = (*place).min(so_far + 1);
                    }
                }
            }
        }
        all.push(far.iter().map(|states| *states.iter().min().unwrap()).collect());
    }
    all
}

fn check_routes(links: &Links, fabric: &Fabric, expected: &[Vec<u32>]) {
    for (src, &from) in links.nodes.iter().enumerate() {
        for (dst, &to) in links.nodes.iter().enumerate().filter(|(dst, _)| *dst != src) {
            let path = route(fabric, src as u32, dst as u32);
            assert_eq!(fabric.ends(path[0]).0, End::Node(src as u32));
            assert_eq!(fabric.ends(path[path.len() - 1]).1, End::Node(dst as u32));
            assert!(path.windows(2).all(|two| fabric.ends(two[0]).1 == fabric.ends(two[1]).0));
            let hops = Fabric::hops(path.len()) as u32;
            assert_eq!(hops, expected[from as usize][to as usize], "{src} to {dst} of {links:?}");
            assert_eq!(hops, fabric.distance(src as u32, dst as u32));
            assert!(path.len() <= fabric.longest_route());
        }
    }
}

/// The switch whose farthest one is nearest.
fn centre(lengths: &[Vec<u32>]) -> u32 {
    (0..lengths.len() as u32).min_by_key(|&s| lengths[s as usize].iter().max()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn routes_are_as_short_as_promised_and_layers_have_no_circle(
        graph: u64, switches in 1_u32..14, nodes in 1_u32..16, more in 0_u32..14, seed: u64,
    ) {
        let links = Links::random(graph, switches, nodes, more);
        let plain = lengths(&links, |_, _, _| Some(0));
        let shortest = build(&links.spec("shortest"), seed).unwrap();
        check_routes(&links, &shortest, &plain);
        let layers = vcs(&shortest).unwrap();
        prop_assert!(!dependencies_have_a_cycle(&shortest, true));
        prop_assert_eq!(layers > 1, dependencies_have_a_cycle(&shortest, false));

        let layered = build(&links.spec("layered"), seed).unwrap();
        check_routes(&links, &layered, &plain);
        prop_assert!(vcs(&layered).is_ok());
        prop_assert!(!dependencies_have_a_cycle(&layered, true));

        let root = centre(&plain);
        let key = |switch: u32| (plain[root as usize][switch as usize], switch);
        let up_down = build(&links.spec("up_down"), seed).unwrap();
        let legal = lengths(&links, |state, from, to| match key(to) < key(from) {
            true => (state == 0).then_some(0),
            false => Some(1),
        });
        check_routes(&links, &up_down, &legal);
        prop_assert_eq!(vcs(&up_down).unwrap(), 1);
        prop_assert!(!dependencies_have_a_cycle(&up_down, false));
    }
}

#[test]
fn a_ring_needs_two_layers_and_a_tree_one() {
    assert_eq!(vcs(&build(&Links::ring(6, 1).spec("shortest"), 1).unwrap()), Ok(2));
    assert_eq!(vcs(&build(&Links::random(3, 9, 9, 0).spec("shortest"), 1).unwrap()), Ok(1));
}

#[test]
fn routes_are_the_same_for_a_seed_and_spread_over_cables() {
    let mut links = Links::ring(2, 40);
    links.links = vec![(0, 1); 8];
    let paths = |seed| {
        let fabric = build(&links.spec("shortest"), seed).unwrap();
        let dst = 0..links.nodes.len() as u32;
        dst.map(|dst| route(&fabric, 0, dst)).collect::<Vec<_>>()
    };
    assert_eq!(paths(7), paths(7));
    // A destination switch has one cable of the eight; seeds choose different ones.
    let cables: std::collections::BTreeSet<u32> = (0..64).map(|seed| paths(seed)[41][1]).collect();
    assert_eq!(cables.len(), 8);
}

/// The most pairs of nodes whose routes have the same channel between switches.
fn busiest(fabric: &Fabric) -> usize {
    let mut loads = vec![0; fabric.channels() as usize];
    for (src, dst) in (0..fabric.nodes()).flat_map(|s| (0..fabric.nodes()).map(move |d| (s, d))) {
        route(fabric, src, dst).iter().for_each(|&channel| loads[channel as usize] += 1);
    }
    loads.split_off(2 * fabric.nodes() as usize).into_iter().max().unwrap()
}

#[test]
fn layered_routes_share_the_load() {
    // Eight leaves with four nodes each below four switches.
    let mut links = Links { switches: 12, nodes: (0..32).map(|n| n / 4).collect(), links: vec![] };
    links.links = (0..8).flat_map(|leaf| (8..12).map(move |top| (leaf, top))).collect();
    let layered = build(&links.spec("layered"), 1).unwrap();
    // A leaf sends to 7 others, 16 pairs of nodes each, over 4 channels: one of these has 2 leaves.
    assert_eq!(busiest(&layered), 32);
    let shortest = |seed| busiest(&build(&links.spec("shortest"), seed).unwrap());
    assert!((0..8).all(|seed| shortest(seed) > 32));
    let torus = build(&Links::torus(4, 4).spec("layered"), 1).unwrap();
    assert_eq!(vcs(&torus), Ok(2));
}

#[test]
fn a_root_can_be_named() {
    let line = Links {
        switches: 5,
        nodes: vec![0, 4],
        links: vec![(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)],
    };
    let mut topology = line.spec("up_down");
    topology["root"] = "leaf0".into();
    assert_eq!(build(&topology, 1).unwrap().distance(0, 1), 1);
    // The highest of all paths from switch 4 to 0 now begins with a channel away from the root.
    topology["root"] = "leaf2".into();
    assert_eq!(build(&topology, 1).unwrap().distance(0, 1), 1);
    topology["root"] = "leaf9".into();
    let error = build(&topology, 1).unwrap_err();
    assert!(error.ends_with("root is leaf9, must be the name of a switch"), "{error}");
}

#[test]
fn names_and_classes_come_from_the_file() {
    let mut file = Links::ring(2, 1).file();
    let count = file["channels"]["from"].as_array().unwrap().len();
    file["channels"]["class"] = (0..count).map(|at| format!("class{}", at / 4)).collect();
    file["channels"]["name"] = (0..count).map(|at| format!("cable {at}")).collect();
    let fabric = build(&spec(&file, "shortest"), 1).unwrap();
    assert_eq!((fabric.class(4).as_str(), fabric.name(5).as_str()), ("class1", "cable 5"));
    assert_eq!(fabric.name(0), "injection/0");
}

fn refused(change: impl FnOnce(&mut Value)) -> String {
    let mut file = Links::ring(3, 1).file();
    change(&mut file);
    build(&spec(&file, "shortest"), 1).unwrap_err()
}

#[test]
fn a_bad_file_is_refused_with_what_is_wrong() {
    let column = |name: &'static str, at: usize, value: Value| {
        refused(move |file| file["channels"][name][at] = value)
    };
    let cases = [
        (column("to", 6, 99.into()), "channel 6 joins number 99, must be below 6"),
        (column("to", 0, 1.into()), "joins the nodes node0 and node1 without a switch"),
        (
            column("from", 0, 1.into()),
            "two channels begin at node node1; each of its rails must be a node",
        ),
        (column("to", 6, 3.into()), "leads from leaf0 back to it"),
        (column("to_port", 6, 70000.into()), "has port 70000, must be below 65535"),
        (column("from_port", 6, 2.into()), "two channels begin at port 2 of leaf0"),
        (refused(|file| file["schema"] = 2.into()), "schema is 2, must be 1"),
        (refused(|file| file["nodes"] = json!([])), "it has 0 nodes"),
        (
            refused(|file| file["channels"]["latency_s"] = json!([0.0])),
            "channels.latency_s has 1 entries, channels.from has 12",
        ),
        (
            refused(|file| file["channels"]["latency_s"] = json!(vec![-1.0; 12])),
            "channels.latency_s[0] is -1, must be 0 or more",
        ),
        (
            refused(|file| file["channels"]["bandwidth_bytes_per_s"] = json!(vec![0.0; 12])),
            "channels.bandwidth_bytes_per_s[0] is 0, must be above 0",
        ),
        (refused(|file| file["channel"] = json!({})), "unknown field `channel`"),
    ];
    for (error, expected) in cases {
        assert!(error.starts_with("the graph "), "{error}");
        assert!(error.contains(expected), "{error} lacks {expected}");
    }
    let mut one_way = Links::ring(3, 1).file();
    one_way["channels"]["to"][6] = 5.into();
    one_way["channels"]["to_port"][6] = 3.into();
    let error = build(&spec(&one_way, "up_down"), 1).unwrap_err();
    assert!(error.contains("none from leaf2 to leaf0") || error.contains("none from"), "{error}");
}

#[test]
fn parts_that_no_link_joins_are_named() {
    let apart = Links { switches: 4, nodes: vec![0, 1, 2, 3], links: vec![(0, 1), (2, 3)] };
    for routing in ["shortest", "up_down"] {
        let error = build(&apart.spec(routing), 1).unwrap_err();
        assert!(error.contains("no path leads from node node2 to node node0"), "{error}");
    }
}

#[test]
fn another_file_than_the_planned_one_is_refused() {
    let mut topology = Links::ring(3, 1).spec("shortest");
    topology["sha256"] = "0".repeat(64).into();
    let error = build(&topology, 1).unwrap_err();
    assert!(error.contains("must be 000000"), "{error}");
    topology["file"] = "no/such/file.json".into();
    assert!(build(&topology, 1).unwrap_err().contains("No such file"));
}

#[test]
fn every_sample_has_ports_that_lead_back() {
    for sample in graphs::samples() {
        let fabric = build(&sample, 1).unwrap();
        for channel in 0..fabric.channels() {
            let (from, to) = fabric.ends(channel);
            let back = (0..fabric.channels()).any(|other| {
                fabric.ends(other) == (to, from)
                    && fabric.input_port(other) == fabric.output_port(channel)
            });
            assert!(back, "{sample}");
        }
    }
}
