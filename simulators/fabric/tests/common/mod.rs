//! Fabrics of every kind.
#![allow(dead_code, reason = "each test uses a part of it")]

use fabric::{CubeRouting, Detour, Fabric, FlyRouting, Ties, TopologySpec, UpRouting};

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
