//! Routings that choose among all shortest ways of a graph.

use crate::common::graphs::Links;
use crate::common::{dependencies_have_a_cycle, route};
use fabric::routing::{AnyRouting, Division, Draw, Header, Outputs, Routing};
use fabric::{Described, End, Fabric, Flow, TorusClasses};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

fn build(spec: Value, routing: &str) -> Fabric {
    let mut spec = spec;
    spec["routing"] = routing.into();
    let read: Described = serde_json::from_value(spec).unwrap();
    read.topology.build_channels(3).unwrap()
}

fn tree(levels: u32) -> Value {
    json!({"kind": "fat_tree", "k": 4, "levels": levels})
}

pub struct Dice(pub u64);

impl Draw for Dice {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as u32 % bound
    }
}

/// All ports are busy but one.
struct Free(u16);

impl Outputs for Free {
    fn used_credits(&self, port: u16) -> u32 {
        u32::from(port != self.0)
    }

    fn any_free(&self, _: u16, _: u16, _: u16) -> bool {
        true
    }
}

fn function(fabric: &Fabric, vcs: u16) -> AnyRouting {
    let torus_classes = TorusClasses::Dateline;
    AnyRouting::new(fabric, Division { vcs, torus_classes, per_destination: false })
}

/// Channels of a packet's way, each with its first virtual channel.
pub fn walk(fabric: &Fabric, vcs: u16, (src, dst): (u32, u32), dice: &mut Dice) -> Vec<(u32, u16)> {
    let routing = function(fabric, vcs);
    let mut ports = BTreeMap::new();
    for channel in (2 * fabric.nodes()..fabric.channels()).filter(|&c| fabric.exists(c)) {
        let End::Router(from) = fabric.ends(channel).0 else { continue };
        ports.insert((from, fabric.output_port(channel).unwrap() as u16), channel);
    }
    let mut header = Header { src, dst, ..Header::default() };
    routing.inject(&mut header, dice);
    let (mut at, mut found) = (fabric.injection_router(src), vec![]);
    let mut input = fabric.input_port(src).unwrap() as u16;
    while at != fabric.ejection_router(dst) {
        let way = routing.route(at, input, &mut header, &Free(u16::MAX), dice);
        let channel = ports[&(at, way.port)];
        found.push((channel, way.first_vc));
        let End::Router(next) = fabric.ends(channel).1 else { break };
        (at, input) = (next, fabric.input_port(channel).unwrap() as u16);
        assert!(found.len() <= fabric.longest_route());
    }
    found
}

#[test]
fn a_fat_tree_needs_one_class_and_a_ring_one_for_each_step() {
    for routing in ["ecmp", "ecmp_pair", "spray", "adaptive"] {
        let needed = |fabric: Fabric| fabric.needed_vcs(TorusClasses::Dateline).unwrap().at_least;
        assert_eq!(needed(build(tree(3), routing)), 1);
        assert_eq!(needed(build(Links::ring(7, 1).spec("x"), routing)), 3);
        assert_eq!(needed(build(json!({"kind": "mesh", "sizes": [3, 3]}), routing)), 4);
    }
    let long = build(Links::ring(40, 1).spec("x"), "adaptive");
    let message = long.needed_vcs(TorusClasses::Dateline).unwrap_err().to_string();
    assert!(
        message.contains("need 20 classes of virtual channels, must be at most 15"),
        "{message}"
    );
}

#[test]
fn a_packet_takes_the_next_class_with_every_channel_where_ways_have_a_circle() {
    let ring = |routing| build(Links::ring(7, 1).spec("x"), routing);
    for routing in ["ecmp", "ecmp_pair", "spray", "adaptive"] {
        let fabric = ring(routing);
        assert_eq!(fabric.needed_vcs(TorusClasses::Dateline).unwrap().at_least, 3);
        let way = walk(&fabric, 3, (0, 3), &mut Dice(1));
        assert_eq!(way.iter().map(|(_, vc)| *vc).collect::<Vec<_>>(), [0, 1, 2], "{routing}");
    }
    let fabric = ring("ecmp");
    fabric.needed_vcs(TorusClasses::Dateline).unwrap();
    assert_eq!(fabric.virtual_classes(&route(&fabric, 0, 3)), [0, 0, 1, 2, 0]);
    assert!(!dependencies_have_a_cycle(&fabric, true));
}

fn ways(fabric: &Fabric, messages: u32) -> BTreeMap<Vec<u32>, u32> {
    let mut found = BTreeMap::new();
    for message in 0..messages {
        let mut path = vec![];
        fabric.route_of(Flow { src: 0, dst: 15, message }, &mut path);
        *found.entry(path).or_insert(0) += 1;
    }
    found
}

#[test]
fn ecmp_spreads_the_messages_of_a_pair_and_ecmp_pair_keeps_them_together() {
    let (by_message, by_pair) = (build(tree(2), "ecmp"), build(tree(2), "ecmp_pair"));
    let counts: Vec<u32> = ways(&by_message, 4000).into_values().collect();
    assert_eq!(counts.len(), 4);
    // Three degrees of freedom: one of a thousand cases exceeds 16.3.
    let chi2: f64 = counts.iter().map(|&n| (f64::from(n) - 1000.0).powi(2) / 1000.0).sum();
    assert!(chi2 < 16.3, "{counts:?}");
    assert_eq!(ways(&by_message, 4000), ways(&build(tree(2), "ecmp"), 4000));
    assert_eq!(ways(&by_pair, 4000).into_keys().collect::<Vec<_>>(), [route(&by_message, 0, 15)]);
}

#[test]
fn ecmp_pair_shares_the_load_evenly_and_each_pair_keeps_its_way() {
    let fabric = build(tree(2), "ecmp_pair");
    let mut loads: BTreeMap<u32, u32> = BTreeMap::new();
    for (src, dst) in (0..16).flat_map(|s| (0..16).map(move |d| (s, d))) {
        let path = route(&fabric, src, dst);
        assert_eq!(path, route(&fabric, src, dst));
        for &channel in path.iter().filter(|&&c| c >= 32 && fabric.class(c) == "up") {
            *loads.entry(channel).or_default() += 1;
        }
    }
    // A leaf sends 4 × 12 pairs over 4 channels, 12 each; the statistic of 16 channels has 12 degrees of
    // freedom (4 leaves, 3 each), and exceeds 32.9 in one of a thousand cases.
    assert_eq!(loads.len(), 16);
    let chi2: f64 = loads.values().map(|&load| (f64::from(load) - 12.0).powi(2) / 12.0).sum();
    assert!(chi2 < 32.9, "{chi2}: {loads:?}");
    assert!(chi2 > 0.0);
}

#[test]
fn spray_takes_every_way_equally_often_and_adaptive_the_free_one() {
    let (spray, adaptive) = (build(tree(2), "spray"), build(tree(2), "adaptive"));
    let (mut dice, mut counts) = (Dice(5), BTreeMap::new());
    for _ in 0..4000 {
        *counts.entry(walk(&spray, 1, (0, 15), &mut dice)).or_insert(0_u32) += 1;
    }
    assert_eq!(counts.len(), 4);
    // Three degrees of freedom: one of a thousand cases exceeds 16.3.
    let chi2: f64 = counts.values().map(|&n| (f64::from(n) - 1000.0).powi(2) / 1000.0).sum();
    assert!(chi2 < 16.3, "{counts:?}");
    // The free one of four is among two random ones with 7 of 16, and always taken then.
    let routing = function(&adaptive, 1);
    let mut header = Header { src: 0, dst: 15, ..Header::default() };
    let mut free = |port| routing.route(0, 0, &mut header, &Free(port), &mut dice).port == port;
    let taken = (0..1600).filter(|_| free(6)).count();
    assert!((630..770).contains(&taken), "{taken}");
    // Of two, the free one always.
    let mesh = build(json!({"kind": "mesh", "sizes": [3, 3]}), "adaptive");
    let routing = function(&mesh, 4);
    let mut header = Header { src: 0, dst: 8, ..Header::default() };
    for _ in 0..20 {
        for free in [0, 2] {
            let way = routing.route(0, 4, &mut header, &Free(free), &mut dice);
            assert_eq!(way.port, free);
        }
    }
}

/// Classes that all shortest ways together need, by sets of channels: one, or one for each channel of the
/// longest where these wait for each other in a circle.
fn classes(fabric: &Fabric) -> u16 {
    let switch = |end| match end {
        End::Router(router) => router,
        End::Node(_) => unreachable!("a channel between switches"),
    };
    let hops: Vec<(u32, u32, u32)> = (2 * fabric.nodes()..fabric.channels())
        .filter(|&channel| fabric.exists(channel))
        .map(|channel| (channel, fabric.ends(channel)))
        .map(|(channel, (from, to))| (channel, switch(from), switch(to)))
        .collect();
    let places: BTreeSet<u32> = (0..fabric.nodes()).map(|n| fabric.ejection_router(n)).collect();
    let (mut after, mut longest) = (BTreeMap::<u32, BTreeSet<u32>>::new(), 0);
    for &target in &places {
        let mut far = BTreeMap::from([(target, 0_u16)]);
        while let Some((&(_, from, _), next)) = hops.iter().find_map(|hop| {
            let next = far.get(&hop.2)? + 1;
            far.get(&hop.1).is_none_or(|&known| known > next).then_some((hop, next))
        }) {
            far.insert(from, next);
        }
        let near = |&(_, from, to): &(u32, u32, u32)| {
            far.get(&from) == far.get(&to).map(|f| f + 1).as_ref()
        };
        let mut on_way = places.clone();
        for _ in 0..hops.len() {
            let reached: Vec<u32> = hops
                .iter()
                .filter(|hop| near(hop) && on_way.contains(&hop.1))
                .map(|hop| hop.2)
                .collect();
            let before = on_way.len();
            on_way.extend(reached);
            if on_way.len() == before {
                break;
            }
        }
        longest = places.iter().filter_map(|place| far.get(place)).copied().fold(longest, u16::max);
        for hop in hops.iter().filter(|hop| near(hop) && on_way.contains(&hop.1)) {
            let behind = hops.iter().filter(|next| next.1 == hop.2 && near(next));
            after.entry(hop.0).or_default().extend(behind.map(|next| next.0));
        }
    }
    while let Some(free) = after
        .iter()
        .find_map(|(&hop, next)| next.iter().all(|next| !after.contains_key(next)).then_some(hop))
    {
        after.remove(&free);
    }
    if after.is_empty() { 1 } else { longest.max(1) }
}

fn needed(fabric: &Fabric) -> u16 {
    fabric.needed_vcs(TorusClasses::Dateline).unwrap().at_least
}

/// More channels begin at the middle than a word has bits, those of the ring last.
#[test]
fn a_ring_through_the_last_ports_of_a_wide_switch_is_a_circle() {
    let leaves = 70;
    let mut star = Links { switches: leaves + 1, nodes: (0..leaves).collect(), links: vec![] };
    star.links.extend((0..leaves).map(|leaf| (leaf, leaves)));
    let fabric = build(star.spec("x"), "ecmp");
    assert_eq!((needed(&fabric), classes(&fabric)), (1, 1));
    star.switches += 4;
    star.nodes.extend(leaves + 1..leaves + 5);
    star.links.extend((0..5).map(|at| (leaves + at, leaves + (at + 1) % 5)));
    let fabric = build(star.spec("x"), "ecmp");
    assert_eq!((needed(&fabric), classes(&fabric)), (3, 3));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn classes_are_those_that_sets_of_channels_give(
        graph: u64, switches in 1_u32..10, nodes in 2_u32..12, more in 0_u32..14,
    ) {
        let fabric = build(Links::random(graph, switches, nodes, more).spec("x"), "ecmp");
        prop_assert_eq!(needed(&fabric), classes(&fabric));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn chosen_ways_are_shortest_and_wait_in_no_circle(
        graph: u64, switches in 1_u32..10, nodes in 2_u32..12, more in 0_u32..14, seed: u64,
    ) {
        let links = Links::random(graph, switches, nodes, more);
        let shortest = build(links.spec("x"), "shortest");
        let ecmp = build(links.spec("x"), "ecmp");
        prop_assert_eq!(
            ecmp.needed_vcs(TorusClasses::Dateline).unwrap().at_least > 1
                || !dependencies_have_a_cycle(&ecmp, false),
            true
        );
        prop_assert!(!dependencies_have_a_cycle(&ecmp, true));
        for word in ["spray", "adaptive"] {
            let fabric = build(links.spec("x"), word);
            let vcs = fabric.needed_vcs(TorusClasses::Dateline).unwrap().at_least;
            let mut dice = Dice(seed);
            let mut after: BTreeMap<(u32, u16), BTreeSet<(u32, u16)>> = BTreeMap::new();
            for (src, dst) in (0..nodes).flat_map(|s| (0..nodes).map(move |d| (s, d))) {
                if src == dst { continue }
                for _ in 0..4 {
                    let way = walk(&fabric, vcs, (src, dst), &mut dice);
                    prop_assert_eq!(way.len() + 2, route(&shortest, src, dst).len());
                    for two in way.windows(2) {
                        after.entry(two[0]).or_default().insert(two[1]);
                    }
                }
            }
            // Whoever waits for nobody goes on, and then whoever waits for that.
            while let Some(free) = after.iter().find_map(|(&each, next)| {
                next.iter().all(|next| !after.contains_key(next)).then_some(each)
            }) {
                after.remove(&free);
            }
            prop_assert!(after.is_empty(), "{:?}", after);
        }
    }
}
