//! Rates of simultaneous flows against exact rational arithmetic.

use crate::common::{Row, fat_tree, job, mesh, message, number, rows, torus};
use fabric::{Fabric, Ties, UpRouting};
use flow::{Job, Model, simulate};
use std::collections::BTreeMap;
use workload::Messages;

/// Size of all messages but one, on channels of one byte per second.
const BYTES: u64 = 1_000_000;

fn fabric(topology: &str, k: u32, rule: &str) -> Option<Fabric> {
    Some(match (topology, rule) {
        ("mesh2d", "xy") => mesh(k),
        ("torus2d", "xy_tie_plus") => torus(k, Ties::Plus),
        ("torus2d", "xy_tie_noWrap") => torus(k, Ties::AvoidWrap),
        ("torus2d", "xy_tie_simgrid") => torus(k, Ties::Simgrid),
        ("fattree2", "dmodk") => fat_tree(k, 2, UpRouting::Dmodk),
        ("fattree2", "smodk") => fat_tree(k, 2, UpRouting::Smodk),
        _ => return None,
    })
}

/// Flows of one case: topology, k, pattern, rule.
fn cases() -> BTreeMap<(String, u32, String, String), Vec<Row>> {
    let mut cases: BTreeMap<_, Vec<Row>> = BTreeMap::new();
    for row in rows("atr_oracle_flows.csv.gz") {
        let text = |column: &str| row[column].clone();
        let k = number(&row, "k") as u32;
        let case = (text("topology"), k, text("pattern"), text("route_policy"));
        cases.entry(case).or_default().push(row);
    }
    cases
}

/// Rates of flows that all begin together, from the accepted rates of runs in which one message is
/// so short that its node finishes first, before any rate changes.
fn rates(fabric: &Fabric, rows: &[Row], model: Model) -> Vec<f64> {
    (0..rows.len())
        .map(|short| {
            let list: Vec<_> = (0..rows.len())
                .map(|i| message(&rows[i], if i == short { 1 } else { BYTES }))
                .collect();
            let messages = Messages::explicit(fabric.nodes(), &list);
            let one = Job { bandwidth_bytes_per_s: 1.0, ..job(fabric, &messages, model) };
            let outcome = simulate(&Job { until_first_node: true, ..one });
            let src = list[short].src;
            1.0 / outcome.finish_s[messages.range(src).start as usize]
        })
        .collect()
}

fn compare(model: Model, column: &str) -> usize {
    let mut compared = 0;
    for ((topology, k, pattern, rule), rows) in cases() {
        let Some(fabric) = fabric(&topology, k, &rule) else { continue };
        for (row, rate) in rows.iter().zip(rates(&fabric, &rows, model)) {
            let expected = number(row, column);
            assert!(
                (rate - expected).abs() <= 1e-9,
                "{topology} k={k} {pattern} {rule}, {} to {}: {rate} instead of {expected}",
                row["src"],
                row["dst"]
            );
            compared += 1;
        }
    }
    compared
}

#[test]
fn equal_share_rates_equal_the_exact_ones() {
    assert_eq!(compare(Model::EqualShare, "rate_mfs_fraction_of_link"), EXPECTED);
}

#[test]
fn max_min_rates_equal_the_exact_ones() {
    assert_eq!(compare(Model::MaxMin, "rate_maxmin_fraction_of_link"), EXPECTED);
}

/// Flows on the routes that weft has.
const EXPECTED: usize = 8900;
