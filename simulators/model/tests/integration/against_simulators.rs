//! On a crossbar with the same latency and bandwidth, the closed form of Hockney is what simulators
//! find. Each message with data waits for its receive, so that no message overlaps with the next one.
//!
//! Stated terms:
//! - A closed form rounds pieces up to whole bytes or elements. Where they divide, it is exact.
//! - Empty messages never wait. In a tree or with folded ranks their latencies overlap, so a barrier of
//!   other than a power of two ranks may end sooner.
//! - Messages that leave one rank at once share its link, as in `flow` with `round_robin`. In `rdma` the
//!   first one goes first, so that a tree with several children ends sooner.
//! - `rdma` counts a flit for an empty message, and a receive may begin a packet early.

use crate::common::{
    BYTES_PER_S, Case, LATENCY_S, formula, multicast_formula, simulated, simulated_multicast, value,
};
use model::ALGORITHMS;
use proptest::prelude::*;
use serde_json::Value;

fn any_algorithm() -> impl Strategy<Value = (&'static str, &'static str)> {
    let all: Vec<_> = ALGORITHMS
        .iter()
        .flat_map(|(collective, choices)| {
            let names = choices.iter().map(|one| one.0).chain(mpi::LIBRARIES);
            names.map(move |name| (*collective, name))
        })
        .collect();
    prop::sample::select(all)
}

fn time_of(collective: &str) -> &'static str {
    if collective == "barrier" { "program_time_s" } else { "collective_time_s" }
}

/// Whether empty messages of this barrier overlap.
fn overlaps(case: Case) -> bool {
    case.collective == "barrier"
        && !case.ranks.is_power_of_two()
        && ["tree", "recursive_doubling", "openmpi"].contains(&case.algorithm)
}

fn check_against_flow(case: Case, slack_s: f64, slack_bytes: f64) -> Result<(), TestCaseError> {
    let (own, other) = (formula(case, "hockney"), simulated(case, "flow"));
    let (expected_s, found_s) =
        (value(&own, time_of(case.collective)), value(&other, "program_time_s"));
    let messages = value(&own, "collective_messages");
    prop_assert_eq!(messages, value(&other, "messages"), "messages of {:?}", case);
    let bytes = value(&own, "collective_bytes") - value(&other, "payload_bytes");
    prop_assert!(bytes.abs() <= slack_bytes, "{bytes} bytes too many of {case:?}");
    let early = if overlaps(case) { 4.0 * LATENCY_S } else { slack_s };
    prop_assert!(found_s <= expected_s + slack_s, "{case:?}: {found_s} s, formula {expected_s} s");
    prop_assert!(found_s >= expected_s - early, "{case:?}: {found_s} s, formula {expected_s} s");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None, cases: 200, ..ProptestConfig::default()
    })]

    #[test]
    fn flow_finds_the_closed_form_where_pieces_are_whole(
        (collective, algorithm) in any_algorithm(), ranks in 1_u64..=40, elements in 1_u64..2000
    ) {
        // A binary tree splits in two, recursive halving by the largest power of two.
        let bytes = 8 * elements * ranks * ranks.next_power_of_two();
        let case = Case { collective, algorithm, ranks, bytes };
        // Times are whole picoseconds, once in each step.
        check_against_flow(case, 1e-12 * 200.0, 0.0)?;
    }

    #[test]
    fn other_sizes_differ_by_the_rounding_of_each_step(
        (collective, algorithm) in any_algorithm(), ranks in 1_u64..=40, elements in 1_u64..20_000
    ) {
        let case = Case { collective, algorithm, ranks, bytes: 8 * elements };
        let steps = value(&formula(case, "hockney"), "steps");
        check_against_flow(case, steps * 16.0 / BYTES_PER_S, (8 * ranks * ranks) as f64)?;
    }
}

/// Packet by packet, of algorithms in which a rank has at most one message under way each way.
#[test]
fn rdma_finds_the_closed_form_up_to_a_packet_in_each_step() {
    for (collective, algorithm) in ALGORITHMS
        .iter()
        .flat_map(|(collective, choices)| choices.iter().map(|one| (*collective, one.0)))
        .filter(|(_, algorithm)| !["binary", "split_binary", "knomial"].contains(algorithm))
    {
        for ranks in [1, 2, 3, 4, 6, 7, 8, 9] {
            let case = Case { collective, algorithm, ranks, bytes: 8 * 9 * 7 * 8 * 25 };
            let (own, other) = (formula(case, "hockney"), simulated(case, "rdma"));
            let expected_s = value(&own, time_of(collective));
            let found_s = value(&other, "program_time_s");
            let packets_s = value(&own, "steps") * 2.0 * 1024.0 / BYTES_PER_S;
            let early = if overlaps(case) { 4.0 * LATENCY_S } else { packets_s };
            assert!(found_s <= expected_s + packets_s, "{case:?}: {found_s} s, not {expected_s} s");
            assert!(found_s >= expected_s - early, "{case:?}: {found_s} s, not {expected_s} s");
            assert_eq!(value(&own, "collective_messages"), value(&other, "messages"), "{case:?}");
        }
    }
}

/// Numbers of members that are powers of two and others, with every d that divides them.
#[test]
fn flow_finds_the_closed_form_of_the_multicast_of_a_group() {
    for ranks in [2, 4, 6, 8, 12, 16, 24] {
        let all = (0..5).map(|log| 1_u64 << log).filter(|d| ranks % d == 0);
        let names = all.map(|d| d.to_string()).chain(["ring".to_string()]);
        for how in names {
            let bytes = 96 * 1000;
            let own = multicast_formula(ranks, bytes, &how);
            let other = simulated_multicast(ranks, bytes, &how);
            let late_s = value(&other, "multicast_time_s") - value(&own, "multicast_time_s");
            assert!(late_s.abs() < 1e-9, "{ranks} ranks, {how}: {late_s} s");
            for (count, expected) in
                [("messages", "collective_messages"), ("payload_bytes", "collective_bytes")]
            {
                assert_eq!(value(&other, count), value(&own, expected), "{ranks} ranks, {how}");
            }
        }
    }
}

/// The options of the simulators, which are those of `programs/lib/collective.h`.
#[test]
fn every_algorithm_of_the_library_has_a_formula() {
    let is_algorithm = |option: &Value| option["name"].as_str().unwrap().ends_with("_algorithm");
    let theirs: Vec<Value> = programs::options().filter(is_algorithm).collect();
    assert_eq!(model::algorithms().collect::<Vec<_>>(), theirs);
}
