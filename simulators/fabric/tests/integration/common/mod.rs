//! Fabrics of every kind.
#![allow(dead_code, reason = "each test uses a part of it")]

pub mod graphs;

use fabric::{CubeRouting, Detour, Fabric, FlyRouting, Ties, TopologySpec, UpRouting};
use std::collections::{HashMap, HashSet};

pub fn fat_tree(k: u32, levels: u32, routing: UpRouting) -> Fabric {
    TopologySpec::FatTree { k, levels, routing, nodes: None }.build(1).unwrap()
}

pub fn mesh(sizes: Vec<u32>) -> Fabric {
    TopologySpec::Mesh { sizes, nodes: None }.build(1).unwrap()
}

pub fn torus(sizes: Vec<u32>, ties: Ties, seed: u64) -> Fabric {
    TopologySpec::Torus { sizes, ties, nodes: None }.build(seed).unwrap()
}

pub fn hypercube(dimensions: u32) -> Fabric {
    let routing = CubeRouting::ECube;
    TopologySpec::Hypercube { dimensions, routing, nodes: None }.build(1).unwrap()
}

pub fn fly(k: u32, stages: u32) -> Fabric {
    let routing = FlyRouting::DestinationTag;
    TopologySpec::Fly { k, stages, routing, nodes: None }.build(1).unwrap()
}

pub fn flattened_butterfly(k: u32, dimensions: u32, concentration: u32) -> Fabric {
    let (concentration, routing) = (Some(concentration), Detour::Minimal);
    TopologySpec::FlattenedButterfly { k, dimensions, concentration, routing, nodes: None }
        .build(1)
        .unwrap()
}

pub fn dragonfly(p: u32, a: u32, h: u32) -> Fabric {
    let routing = Detour::Minimal;
    TopologySpec::Dragonfly { p, a: Some(a), h: Some(h), routing, nodes: None }.build(1).unwrap()
}

pub fn crossbar(nodes: u64) -> Fabric {
    TopologySpec::Crossbar { nodes }.build(1).unwrap()
}

pub fn route(fabric: &Fabric, src: u32, dst: u32) -> Vec<u32> {
    let mut path = vec![];
    fabric.route(src, dst, &mut path);
    path
}

/// Whether channels (with their virtual classes) wait for each other in a circle.
pub fn dependencies_have_a_cycle(fabric: &Fabric, with_classes: bool) -> bool {
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
