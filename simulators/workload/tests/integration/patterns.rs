//! Destinations of every pattern.

use fabric::{Fabric, Ties, TopologySpec};
use proptest::prelude::*;
use workload::{Choice, PATTERNS, Pattern};

fn torus(sizes: Vec<u32>) -> Fabric {
    TopologySpec::Torus { sizes, ties: Ties::Plus, nodes: None }.build(1).unwrap()
}

fn crossbar(nodes: u64) -> Fabric {
    TopologySpec::Crossbar { nodes }.build(1).unwrap()
}

fn once(pattern: Pattern, fabric: &Fabric) -> Vec<u32> {
    pattern.destinations(fabric, 1, &Choice::default(), 1).unwrap()
}

fn refusal(pattern: Pattern, fabric: &Fabric) -> String {
    pattern.destinations(fabric, 1, &Choice::default(), 1).unwrap_err().to_string()
}

#[test]
fn transpose_swaps_the_halves_of_the_bits() {
    let dst = once(Pattern::Transpose, &torus(vec![4, 4]));
    assert_eq!(dst[0b0111], 0b1101);
    assert_eq!(dst, [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15]);
}

#[test]
fn bit_patterns_follow_their_definitions() {
    let fabric = crossbar(16);
    assert_eq!(once(Pattern::BitComplement, &fabric)[0b0010], 0b1101);
    assert_eq!(once(Pattern::BitReverse, &fabric)[0b0010], 0b0100);
    assert_eq!(once(Pattern::Shuffle, &fabric)[0b1010], 0b0101);
}

#[test]
fn tornado_shifts_every_digit_by_floor_of_half_minus_one() {
    assert_eq!(once(Pattern::Tornado, &torus(vec![5, 5]))[0], 1 + 5);
    assert_eq!(once(Pattern::Tornado, &torus(vec![7, 7]))[6], 1 + 7 * 2);
    assert_eq!(once(Pattern::Tornado, &torus(vec![2, 3])), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn tornado_ceil_differs_from_tornado_at_odd_sizes_only() {
    for k in 2..12 {
        let fabric = torus(vec![k, k]);
        let same = once(Pattern::Tornado, &fabric) == once(Pattern::TornadoCeil, &fabric);
        assert_eq!(same, k % 2 == 0, "{k}");
    }
}

#[test]
fn neighbor_adds_one_to_every_digit() {
    assert_eq!(once(Pattern::Neighbor, &torus(vec![3, 4]))[2], 3);
    assert_eq!(once(Pattern::Neighbor, &torus(vec![3, 4]))[11], 0);
}

#[test]
fn all_to_all_sends_one_message_to_each_other_node_per_round() {
    let dst = Pattern::AllToAll.destinations(&crossbar(3), 2, &Choice::default(), 1).unwrap();
    assert_eq!(dst, [1, 2, 1, 2, 2, 0, 2, 0, 0, 1, 0, 1]);
}

#[test]
fn hotspots_attract_their_share() {
    let choice = Choice { include_self: false, hotspot_nodes: vec![3, 9], hotspot_fraction: 0.4 };
    let dst = Pattern::Hotspot.destinations(&crossbar(100), 200, &choice, 5).unwrap();
    let hot = dst.iter().filter(|&&d| d == 3 || d == 9).count() as f64 / dst.len() as f64;
    assert!((hot - (0.4 + 0.6 * 0.02)).abs() < 0.01, "{hot}");
}

#[test]
fn a_pattern_that_does_not_fit_says_what_it_needs() {
    assert!(refusal(Pattern::Transpose, &torus(vec![2, 4])).contains("even power of two"));
    assert!(refusal(Pattern::Transpose, &torus(vec![6, 6])).contains("even power of two"));
    assert!(refusal(Pattern::BitReverse, &torus(vec![3, 3])).contains("power of two"));
    assert!(refusal(Pattern::Tornado, &crossbar(16)).contains("digits"));
    assert!(refusal(Pattern::Hotspot, &crossbar(16)).contains("hotspot_nodes"));
    assert!(refusal(Pattern::Uniform, &crossbar(1)).contains("2 nodes"));
}

#[test]
fn every_pattern_that_can_be_read_says_what_it_is() {
    let wrong = serde_json::from_str::<Pattern>("\"nonsense\"").unwrap_err().to_string();
    let known: Vec<&str> = wrong.split('`').skip(3).step_by(2).collect();
    assert_eq!(known, PATTERNS.map(|about| about.name));
    for name in known {
        let pattern: Pattern = serde_json::from_value(name.into()).unwrap();
        assert_eq!(pattern.about().name, name);
    }
}

#[test]
fn the_kinds_of_workloads_are_those_that_can_be_read() {
    let wrong = serde_json::from_str::<workload::WorkloadSpec>("{\"kind\": \"nonsense\"}");
    let text = wrong.unwrap_err().to_string();
    let known: Vec<&str> = text.split('`').skip(3).step_by(2).collect();
    assert_eq!(known, workload::KINDS);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn fixed_patterns_are_permutations(half in 1_u32..5, seed in any::<u64>()) {
        let fabric = torus(vec![1 << half, 1 << half]);
        let fixed = PATTERNS.iter().filter(|about| !["nothing", "file"].contains(&about.needs()));
        for name in fixed.map(|about| about.name).chain(["random_permutation"]) {
            let pattern: Pattern = serde_json::from_value(name.into()).unwrap();
            let mut dst = pattern.destinations(&fabric, 1, &Choice::default(), seed).unwrap();
            dst.sort_unstable();
            prop_assert!(dst.iter().copied().eq(0..fabric.nodes()), "{pattern:?}");
        }
    }

    #[test]
    fn uniform_avoids_the_sender_unless_allowed(nodes in 2_u64..50, seed in any::<u64>()) {
        let fabric = crossbar(nodes);
        let dst = Pattern::Uniform.destinations(&fabric, 20, &Choice::default(), seed).unwrap();
        prop_assert!(dst.iter().enumerate().all(|(i, &d)| d != i as u32 / 20 && u64::from(d) < nodes));
        let choice = Choice { include_self: true, ..Choice::default() };
        let dst = Pattern::Uniform.destinations(&fabric, 200, &choice, seed).unwrap();
        prop_assert!(dst.iter().enumerate().any(|(i, &d)| d == i as u32 / 200));
    }
}
