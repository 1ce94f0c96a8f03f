//! LogP, LogGP, the time to combine, and curves.

use crate::common::{Case, options, value};
use engine::Point;
use model::Curve;
use proptest::prelude::*;
use serde_json::{Value, json};

/// 100 B from one rank to another or to others, on links of 1 ns a byte and 1 us.
fn time_s(case: Case, cost: &str, others: Value) -> f64 {
    let mut options = options(cost);
    options[format!("{}_algorithm", case.collective)] = json!(case.algorithm);
    options.as_object_mut().unwrap().extend(others.as_object().unwrap().clone());
    let point: Point = serde_json::from_value(json!({
        "point_id": "p", "digest": "d", "options": options,
        "network": {"bandwidth_bytes_per_s": 1e9, "latency_s": 1e-6},
        "workload": {"kind": "program", "program": case.collective, "ranks": case.ranks,
                     "message_bytes": [case.bytes]},
    }))
    .unwrap();
    value(&model::run_point(&point).unwrap(), "collective_time_s")
}

fn case(collective: &'static str, algorithm: &'static str) -> Case {
    Case { collective, algorithm, ranks: 5, bytes: 100 }
}

fn assert_ns(found_s: f64, expected_ns: f64) {
    assert!((found_s * 1e9 - expected_ns).abs() < 1e-6, "{found_s} s, not {expected_ns} ns");
}

#[test]
fn logp_sends_long_messages_as_many_small_ones() {
    let numbers = json!({"overhead_s": 2e-7, "gap_s": 3e-7, "small_message_bytes": 16});
    // 7 small messages, 300 ns apart; 3 steps.
    assert_ns(time_s(case("bcast", "binomial"), "logp", numbers.clone()), 3.0 * (1400.0 + 1800.0));
    // Who sends and receives at once spends 2 overheads, which is more than the gap.
    let shifts = time_s(case("allgather", "ring"), "logp", numbers.clone());
    assert_ns(shifts, 4.0 * (1400.0 + 6.0 * 400.0));
    assert_ns(time_s(case("bcast", "linear"), "logp", numbers), 1400.0 + 27.0 * 300.0);
}

#[test]
fn loggp_separates_bytes_from_messages() {
    let numbers = json!({"overhead_s": 2e-7, "gap_s": 3e-7});
    let chain = time_s(case("bcast", "chain"), "loggp", numbers.clone());
    assert_ns(chain, 4.0 * (1400.0 + 99.0));
    let linear = time_s(case("bcast", "linear"), "loggp", numbers);
    assert_ns(linear, 1400.0 + 4.0 * 99.0 + 3.0 * 300.0);
}

/// With g and o of nothing, LogGP is Hockney's model but for the first byte of a message.
#[test]
fn loggp_without_overheads_is_hockney() {
    for (collective, algorithm) in
        [("alltoall", "bruck"), ("bcast", "knomial"), ("gather", "binomial")]
    {
        let both =
            ["loggp", "hockney"].map(|cost| time_s(case(collective, algorithm), cost, json!({})));
        let bytes = (both[1] - both[0]) * 1e9;
        assert!(bytes > 0.0 && bytes < 20.0, "{collective}: {bytes} bytes");
    }
}

#[test]
fn combining_takes_time_where_values_are_reduced() {
    let numbers = json!({"combine_bytes_per_s": 5e8});
    let free = time_s(case("allreduce", "reduce_bcast"), "hockney", json!({}));
    let slow = time_s(case("allreduce", "reduce_bcast"), "hockney", numbers.clone());
    assert_ns(slow - free, 3.0 * 200.0);
    assert_ns(time_s(case("bcast", "binomial"), "hockney", numbers), 3.0 * 1100.0);
}

#[test]
fn rules_choose_by_size() {
    let rules = |rules| time_s(case("bcast", rules), "hockney", json!({}));
    assert_ns(rules("bytes<=99: chain; binomial"), 3300.0);
    assert_ns(rules("bytes<=100 ranks<=4: binomial; ranks<=5: chain; binomial"), 4400.0);
}

/// MPICH halves vectors of at least as many doubles as the largest power of two up to the ranks: 8 of 12.
#[test]
fn a_library_counts_elements() {
    let by = |algorithm, bytes| {
        let case = Case { collective: "allreduce", algorithm, ranks: 12, bytes };
        time_s(case, "hockney", json!({}))
    };
    for elements in [2, 7, 8, 11, 12] {
        let own = if elements < 8 { "recursive_doubling" } else { "rabenseifner" };
        assert_eq!(by("mpich", 8 * elements), by(own, 8 * elements), "{elements}");
    }
    assert_ne!(by("recursive_doubling", 80), by("rabenseifner", 80));
}

#[test]
fn a_curve_is_linear_in_the_logarithm_and_flat_beyond_its_ends() {
    let curve = "two_way_s_per_byte,message_bytes,one_way_s_per_byte\n8,100,4\n16,400,2\n";
    let curve = Curve::parse(curve).unwrap();
    let found = [1.0, 100.0, 200.0, 400.0, 1e9].map(|bytes| curve.at(bytes));
    assert_eq!(found.map(|pace| pace.one_way), [4.0, 4.0, 3.0, 2.0, 2.0]);
    assert_eq!(found.map(|pace| pace.two_way), [8.0, 8.0, 12.0, 16.0, 16.0]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Between the rows of a file no pace is outside of those of its neighbours.
    #[test]
    fn a_curve_stays_between_its_rows(
        rows in prop::collection::btree_map(1_u32..1 << 30, (1_u32..1000, 1_u32..1000), 1..8),
        bytes in 1_u32..1 << 30,
    ) {
        let mut text = String::from("two_way_s_per_byte, message_bytes,one_way_s_per_byte\n");
        for (size, (one, two)) in &rows {
            text += &format!("{two}e-12,{size} ,{one}e-12\n");
        }
        let curve = Curve::parse(&text).unwrap();
        let below = rows.range(..=bytes).next_back().or(rows.iter().next()).unwrap().1;
        let above = rows.range(bytes..).next().or(rows.iter().next_back()).unwrap().1;
        let pace = curve.at(f64::from(bytes));
        for (found, one, other) in
            [(pace.one_way, below.0, above.0), (pace.two_way, below.1, above.1)]
        {
            let (least, most) = (f64::from(one.min(other)), f64::from(one.max(other)));
            let rounding = 1e-9;
            prop_assert!(found * 1e12 >= least - rounding && found * 1e12 <= most + rounding);
        }
    }

    /// The message begins with the line, which the file's name precedes.
    #[test]
    fn any_text_is_a_curve_or_refused_with_its_line(text in "([0-9.e, \\-\r\n]|\\PC){0,60}") {
        const HEAD: &str = "message_bytes,one_way_s_per_byte,two_way_s_per_byte";
        for text in [format!("{HEAD}\n{text}"), text] {
            if let Err(error) = Curve::parse(&text) {
                let line: usize = error[1..].split(':').next().unwrap().parse().unwrap();
                prop_assert!(error.starts_with(':') && line <= text.lines().count().max(1), "{error}");
            }
        }
    }
}
