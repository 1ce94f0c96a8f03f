//! Properties of every topology and route.

use crate::common::{
    crossbar, dragonfly, fat_tree, flattened_butterfly, fly, hypercube, mesh, route, torus,
};
use fabric::{End, Fabric, Ties, UpRouting};
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};

fn any_ties() -> impl Strategy<Value = Ties> {
    prop::sample::select(vec![Ties::Plus, Ties::AvoidWrap, Ties::Simgrid, Ties::Random])
}

fn any_sizes() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(1_u32..7, 1..4)
}

fn any_fabric() -> impl Strategy<Value = Fabric> {
    let up = prop::sample::select(vec![UpRouting::Dmodk, UpRouting::Smodk]);
    prop_oneof![
        (2_u32..6, 1_u32..4, up).prop_map(|(k, levels, routing)| fat_tree(k, levels, routing)),
        any_sizes().prop_map(mesh),
        (any_sizes(), any_ties(), any::<u64>()).prop_map(|(sizes, ties, s)| torus(sizes, ties, s)),
        (1_u32..8).prop_map(hypercube),
        (1_u64..40).prop_map(crossbar),
        (2_u32..6, 1_u32..4).prop_map(|(k, stages)| fly(k, stages)),
        (2_u32..6, 1_u32..4, 1_u32..4).prop_map(|(k, n, c)| flattened_butterfly(k, n, c)),
        (1_u32..4, 1_u32..6, 1_u32..4).prop_map(|(p, a, h)| dragonfly(p, a, h)),
    ]
}

/// Fewest channels from one router to all others, by breadth-first search over all paths with at most
/// one global channel.
fn distances(fabric: &Fabric, from: u32) -> HashMap<u32, u32> {
    let mut neighbours: HashMap<u32, Vec<(u32, bool)>> = HashMap::new();
    for channel in (0..fabric.channels()).filter(|&c| fabric.exists(c)) {
        if let (End::Router(a), End::Router(b)) = fabric.ends(channel) {
            neighbours.entry(a).or_default().push((b, fabric.class(channel) == "global"));
        }
    }
    let mut found = HashMap::from([((from, false), 0)]);
    let mut front = vec![(from, false)];
    for distance in 1.. {
        let reached = front.iter().flat_map(|&(router, crossed)| {
            let next = neighbours.get(&router).into_iter().flatten();
            next.filter(move |n| !(crossed && n.1)).map(move |n| (n.0, crossed || n.1))
        });
        front = reached.collect();
        front.retain(|&place| {
            let is_new = !found.contains_key(&place);
            found.entry(place).or_insert(distance);
            is_new
        });
        if front.is_empty() {
            break;
        }
    }
    let mut shortest = HashMap::new();
    for ((router, _), distance) in found {
        let least = shortest.entry(router).or_insert(distance);
        *least = distance.min(*least);
    }
    shortest
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn every_route_is_a_path_from_source_to_destination(fabric in any_fabric(), pair in any::<(u32, u32)>()) {
        let (src, dst) = (pair.0 % fabric.nodes(), pair.1 % fabric.nodes());
        let path = route(&fabric, src, dst);
        prop_assert!(path.len() <= fabric.longest_route());
        if src == dst {
            prop_assert!(path.is_empty());
        } else {
            prop_assert!(path.iter().all(|&channel| fabric.exists(channel)));
            prop_assert_eq!(fabric.ends(path[0]).0, End::Node(src));
            prop_assert_eq!(fabric.ends(path[path.len() - 1]).1, End::Node(dst));
            for pair in path.windows(2) {
                prop_assert_eq!(fabric.ends(pair[0]).1, fabric.ends(pair[1]).0);
            }
        }
    }

    #[test]
    fn every_route_is_minimal(fabric in any_fabric(), start in any::<u32>()) {
        let src = start % fabric.nodes();
        let shortest = distances(&fabric, fabric.injection_router(src));
        for dst in (0..fabric.nodes()).filter(|&dst| dst != src) {
            let hops = Fabric::hops(route(&fabric, src, dst).len()) as u32;
            prop_assert_eq!(hops, shortest[&fabric.ejection_router(dst)]);
            prop_assert_eq!(hops, fabric.distance(src, dst));
        }
    }

    #[test]
    fn every_channel_has_its_own_name(fabric in any_fabric()) {
        let channels = (0..fabric.channels()).filter(|&c| fabric.exists(c));
        let names: Vec<String> = channels.map(|c| fabric.name(c)).collect();
        let distinct: HashSet<&String> = names.iter().collect();
        prop_assert_eq!(distinct.len(), names.len());
    }

    #[test]
    fn random_ties_depend_on_the_seed_alone(seed in any::<u64>(), pair in any::<(u32, u32)>()) {
        let (a, b) = (torus(vec![6, 4], Ties::Random, seed), torus(vec![6, 4], Ties::Random, seed));
        let (src, dst) = (pair.0 % 24, pair.1 % 24);
        prop_assert_eq!(route(&a, src, dst), route(&b, src, dst));
    }
}

#[test]
fn a_tie_goes_where_the_rule_says() {
    let steps = |ties, src, dst| {
        let fabric = torus(vec![4], ties, 1);
        let path = route(&fabric, src, dst);
        path[1..path.len() - 1].iter().map(|&c| fabric.name(c)).collect::<Vec<_>>()
    };
    assert_eq!(steps(Ties::Plus, 3, 1), ["x+/3", "x+/0"]);
    assert_eq!(steps(Ties::AvoidWrap, 3, 1), ["x-/3", "x-/2"]);
    assert_eq!(steps(Ties::AvoidWrap, 1, 3), ["x+/1", "x+/2"]);
}

#[test]
fn random_ties_take_both_ways() {
    let fabric = torus(vec![2, 64], Ties::Random, 3);
    let plus =
        (0..64).filter(|i| fabric.name(route(&fabric, 2 * i, 2 * i + 1)[1]).starts_with("x+"));
    assert!((16..48).contains(&plus.count()));
}

#[test]
fn dmodk_gives_one_way_down_to_each_destination() {
    let fabric = fat_tree(3, 3, UpRouting::Dmodk);
    for dst in 0..27 {
        let last = |src| route(&fabric, src, dst)[4];
        let roots: HashSet<u32> = (0..27).filter(|src| src / 9 != dst / 9).map(last).collect();
        assert_eq!(roots.len(), 1);
    }
}

#[test]
fn a_fly_ejects_at_its_last_stage() {
    let fabric = fly(2, 3);
    let names: Vec<String> = route(&fabric, 0, 5).iter().map(|&c| fabric.name(c)).collect();
    assert_eq!(names, ["injection/0", "stage0/0/1", "stage1/2/0", "ejection/5"]);
    assert_eq!((fabric.injection_router(5), fabric.ejection_router(5)), (2, 10));
}

#[test]
fn groups_of_a_dragonfly_are_joined_once() {
    let fabric = dragonfly(1, 3, 2);
    let group = |end| match end {
        End::Router(router) => router / 3,
        other => panic!("{other:?}"),
    };
    let pairs: HashSet<(u32, u32)> = (0..fabric.channels())
        .filter(|&c| fabric.class(c) == "global")
        .map(|c| (group(fabric.ends(c).0), group(fabric.ends(c).1)))
        .collect();
    assert_eq!(pairs.len(), 7 * 6);
    assert!(pairs.iter().all(|(a, b)| a != b));
}

#[test]
fn routers_of_a_flattened_butterfly_are_joined_directly() {
    let fabric = flattened_butterfly(4, 2, 2);
    let names: Vec<String> = route(&fabric, 1, 30).iter().map(|&c| fabric.name(c)).collect();
    assert_eq!(names, ["injection/1", "d0/0/3", "d1/3/3", "ejection/30"]);
}
