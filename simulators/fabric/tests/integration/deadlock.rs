//! Static routes cannot deadlock with the virtual-channel classes that the fabric gives.

use crate::common::dependencies_have_a_cycle as has_cycle;
use crate::common::{dragonfly, fat_tree, flattened_butterfly, fly, hypercube, mesh, torus};
use fabric::{Ties, UpRouting};

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
fn fly_routes_cannot_deadlock() {
    for (k, stages) in [(2, 1), (2, 4), (3, 3), (5, 2)] {
        assert!(!has_cycle(&fly(k, stages), false), "{k} {stages}");
    }
}

#[test]
fn flattened_butterfly_routes_cannot_deadlock() {
    for (k, dimensions, concentration) in [(2, 3, 2), (3, 2, 3), (4, 2, 1), (6, 1, 2)] {
        let butterfly = flattened_butterfly(k, dimensions, concentration);
        assert!(!has_cycle(&butterfly, false), "{k} {dimensions} {concentration}");
    }
}

#[test]
fn dragonfly_routes_with_classes_cannot_deadlock() {
    for (p, a, h) in [(1, 1, 3), (1, 2, 1), (2, 3, 2), (1, 4, 2), (2, 2, 3)] {
        assert!(!has_cycle(&dragonfly(p, a, h), true), "{p} {a} {h}");
    }
}

#[test]
fn dragonfly_routes_without_classes_can_deadlock() {
    assert!(has_cycle(&dragonfly(1, 4, 2), false));
}
