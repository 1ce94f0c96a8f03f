//! Properties of every topology and route.

use fabric::{CubeRouting, Detour, End, Fabric, FlyRouting, Ties, TopologySpec, UpRouting};
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};

fn fat_tree(k: u32, levels: u32, routing: UpRouting) -> Fabric {
    TopologySpec::FatTree { k, levels, routing, nodes: None }.build(1).unwrap()
}

fn mesh(sizes: Vec<u32>) -> Fabric {
    TopologySpec::Mesh { sizes, nodes: None }.build(1).unwrap()
}

fn torus(sizes: Vec<u32>, ties: Ties, seed: u64) -> Fabric {
    TopologySpec::Torus { sizes, ties, nodes: None }.build(seed).unwrap()
}

fn hypercube(dimensions: u32) -> Fabric {
    let routing = CubeRouting::ECube;
    TopologySpec::Hypercube { dimensions, routing, nodes: None }.build(1).unwrap()
}

fn fly(k: u32, stages: u32) -> Fabric {
    let routing = FlyRouting::DestinationTag;
    TopologySpec::Fly { k, stages, routing, nodes: None }.build(1).unwrap()
}

fn flattened_butterfly(k: u32, dimensions: u32, concentration: u32) -> Fabric {
    let (concentration, routing) = (Some(concentration), Detour::Minimal);
    TopologySpec::FlattenedButterfly { k, dimensions, concentration, routing, nodes: None }
        .build(1)
        .unwrap()
}

fn dragonfly(p: u32, a: u32, h: u32) -> Fabric {
    let routing = Detour::Minimal;
    TopologySpec::Dragonfly { p, a: Some(a), h: Some(h), routing, nodes: None }.build(1).unwrap()
}

fn crossbar(nodes: u64) -> Fabric {
    TopologySpec::Crossbar { nodes }.build(1).unwrap()
}

fn route(fabric: &Fabric, src: u32, dst: u32) -> Vec<u32> {
    let mut path = vec![];
    fabric.route(src, dst, &mut path);
    path
}

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

/// Whether channels (with their virtual classes) wait for each other in a circle.
fn has_cycle(fabric: &Fabric, with_classes: bool) -> bool {
    let mut after: HashMap<(u32, u8), HashSet<(u32, u8)>> = HashMap::new();
    for src in 0..fabric.nodes() {
        for dst in 0..fabric.nodes() {
            let path = route(fabric, src, dst);
            let mut classes = fabric.virtual_classes(&path);
            if !with_classes {
                classes.fill(0);
            }
            let places: Vec<(u32, u8)> = path.into_iter().zip(classes).collect();
            for pair in places.windows(2) {
                after.entry(pair[0]).or_default().insert(pair[1]);
            }
        }
    }
    let mut waiting: HashMap<(u32, u8), usize> = HashMap::new();
    for target in after.values().flatten() {
        *waiting.entry(*target).or_default() += 1;
    }
    let all: HashSet<(u32, u8)> =
        after.iter().flat_map(|(k, v)| v.iter().copied().chain([*k])).collect();
    let mut free: Vec<_> =
        all.iter().filter(|place| !waiting.contains_key(place)).copied().collect();
    let mut removed = 0;
    while let Some(place) = free.pop() {
        removed += 1;
        for target in after.get(&place).into_iter().flatten() {
            let left = waiting.get_mut(target).unwrap();
            *left -= 1;
            if *left == 0 {
                free.push(*target);
            }
        }
    }
    removed < all.len()
}

#[test]
fn fat_tree_routes_cannot_deadlock() {
    for routing in [UpRouting::Dmodk, UpRouting::Smodk] {
        for (k, levels) in [(2, 1), (2, 4), (3, 3), (5, 2)] {
            assert!(!has_cycle(&fat_tree(k, levels, routing), false), "{k} {levels} {routing:?}");
        }
    }
}

#[test]
fn mesh_routes_cannot_deadlock() {
    for sizes in [vec![2, 2], vec![5, 3], vec![3, 2, 4], vec![2, 2, 2, 2]] {
        assert!(!has_cycle(&mesh(sizes.clone()), false), "{sizes:?}");
    }
}

#[test]
fn hypercube_routes_cannot_deadlock() {
    for dimensions in 1..=6 {
        assert!(!has_cycle(&hypercube(dimensions), false), "{dimensions}");
    }
}

#[test]
fn torus_routes_with_datelines_cannot_deadlock() {
    for ties in [Ties::Plus, Ties::AvoidWrap, Ties::Simgrid, Ties::Random] {
        for sizes in
            [vec![2, 2], vec![3, 3], vec![4, 4], vec![5, 6], vec![7], vec![3, 2, 4], vec![1, 8]]
        {
            assert!(!has_cycle(&torus(sizes.clone(), ties, 5), true), "{sizes:?} {ties:?}");
        }
    }
}

#[test]
fn torus_routes_without_datelines_can_deadlock() {
    assert!(has_cycle(&torus(vec![5, 5], Ties::Plus, 1), false));
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
fn invalid_topologies_name_the_wrong_key() {
    let text = |spec: TopologySpec| spec.build(1).unwrap_err().to_string();
    let tree =
        |k, levels, nodes| TopologySpec::FatTree { k, levels, routing: UpRouting::Dmodk, nodes };
    assert_eq!(text(tree(1, 2, None)), "k is 1, must be at least 2");
    assert_eq!(text(tree(4, 2, Some(15))), "nodes is 15, but the topology has 16");
    assert!(text(tree(1000, 9, None)).contains("more than"));
    assert!(text(TopologySpec::Mesh { sizes: vec![3, 0], nodes: None }).contains("sizes is 0"));
}
