//! Accepted rate of saturated networks: families A (2-flit buffers) and B (a buffer as long as the
//! loop of its credits).

use crate::network::{network, router, traffic, Window};
use crate::rows::{each, rows, Row};
use packet::router_options::RouterOptions;

fn accepted(row: &Row, seed: u64) -> f64 {
    let network = network(row, row.count("use_noc_latency") == 1);
    let options = RouterOptions {
        routing_delay_cycles: row.count("routing_delay_cycles"),
        speculative: row.count("speculative") == 1,
        ..router(row)
    };
    let flits = row.count("fpp_flits");
    let traffic = traffic(&network, row.text("traffic"), flits, 1.0, seed);
    let from = row.number("warmup_cycles") as u64;
    let until = from + row.number("measure_cycles_max") as u64;
    let window = Window::new(network.nodes(), from, until);
    let mut simulation = network.simulation(&options, traffic, window, seed);
    simulation.advance(until);
    simulation.recorder().accepted()
}

/// Repeats a row with several seeds: mean and standard deviation of one run.
fn repeated(row: &Row) -> (f64, f64) {
    let seeds = if row.text("traffic") == "uniform" {
        (400 / row.count("nodes")).clamp(4, 40)
    } else if row.text("routing") == "nca" {
        4
    } else {
        1
    };
    let runs: Vec<f64> = (1..=u64::from(seeds)).map(|seed| accepted(row, seed)).collect();
    let mean = runs.iter().sum::<f64>() / f64::from(seeds);
    let squares: f64 = runs.iter().map(|run| (run - mean).powi(2)).sum();
    (mean, (squares / f64::from(seeds.max(2) - 1)).sqrt())
}

#[test]
fn saturated_networks_accept_what_booksim2_accepts() {
    let rows = rows("atr.csv");
    let ours = each(&rows, repeated);
    let mut worst = Vec::new();
    for (row, (ours, deviation)) in rows.iter().zip(ours) {
        let theirs = row.number("atr_avg_flits_per_node_cycle");
        let locks = row.text("note").starts_with("VOQ");
        let tolerance = if locks { 0.03 } else { (0.02 * theirs).max(0.01) };
        let name: Vec<&str> =
            ["family", "topology", "k", "routing", "traffic", "fpp_flits", "seed"]
                .map(|column| row.text(column))
                .into();
        worst.push(((ours - theirs).abs() / tolerance, name.join(" "), theirs, ours, deviation));
    }
    worst.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (share, name, theirs, ours, deviation) in &worst {
        println!(
            "{share:6.2} {theirs:.4} {ours:.4} {deviation:.4} {:6.2} {name}",
            (theirs - ours) / deviation
        );
    }
    assert!(worst[0].0 <= 1.0, "{:?}", worst[0]);
}
