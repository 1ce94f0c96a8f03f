//! Means over many seeds on both sides: what single runs hide in their noise.

use crate::booksim2::atr::accepted;
use crate::booksim2::rows::{Row, deviation, each, mean, rows};

/// Both have the same distribution if they model the same machine: 3 standard errors of the
/// difference, and 0.5 % for what is modelled otherwise.
fn tolerance(row: &Row, ours: &[f64]) -> f64 {
    let own_error = deviation(ours) / (ours.len() as f64).sqrt();
    0.005 * row.number("atr_mean") + 3.0 * own_error.hypot(row.number("atr_standard_error"))
}

fn check(rows: &[Row]) {
    let runs: Vec<(&Row, u64)> =
        rows.iter().flat_map(|row| (1..=24).map(move |seed| (row, seed))).collect();
    let rates = each(&runs, |&(row, seed)| accepted(row, seed));
    println!("BookSim2, weft, difference, tolerance, row");
    for (row, ours) in rows.iter().zip(rates.chunks(24)) {
        let (theirs, allowed) = (row.number("atr_mean"), tolerance(row, ours));
        let difference = mean(ours.iter().copied()) - theirs;
        let name = ["family", "topology", "k", "routing"].map(|column| row.text(column)).join(" ");
        println!("{theirs:.4} {:.4} {difference:+.4} {allowed:.4} {name}", theirs + difference);
        assert!(difference.abs() <= allowed, "{name}: {difference:+.4}, allowed {allowed:.4}");
    }
}

/// Rows whose routing decides by load, or the others.
fn by_load(adaptive: bool) -> Vec<Row> {
    let all = rows("atr_seeds.csv").into_iter();
    all.filter(|row| (row.text("routing") == "anca") == adaptive).collect()
}

#[test]
#[ignore = "long tier"]
fn means_over_seeds_are_those_of_booksim2() {
    check(&by_load(false));
}

#[test]
fn sources_that_look_ahead_see_the_load_that_those_of_booksim2_see() {
    check(&by_load(true));
}
