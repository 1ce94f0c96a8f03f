//! Accepted rate of saturated networks: families A (2-flit buffers) and B (a buffer as long as the
//! loop of its credits).

use crate::booksim2::network::{Window, network, router, traffic};
use crate::booksim2::rows::{Row, each, mean, rows};
use packet::router_options::RouterOptions;
use std::collections::BTreeMap;

/// Accepted rate of one run of ours.
pub fn accepted(row: &Row, seed: u64) -> f64 {
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

const NAME: [&str; 6] = ["family", "topology", "k", "routing", "traffic", "fpp_flits"];

/// Whether two runs with different seeds differ.
fn is_random(row: &Row) -> bool {
    row.text("traffic") == "uniform" || ["nca", "anca"].contains(&row.text("routing"))
}

/// Our mean, over more seeds where networks are small and runs therefore noisy.
fn ours(row: &Row) -> f64 {
    let seeds = if is_random(row) { (120 / row.count("nodes")).clamp(2, 20) } else { 1 };
    mean((1..=seeds.into()).map(|seed| accepted(row, seed)))
}

/// Standard deviation of one run of theirs, as our runs with different seeds show it: that of a
/// sum over the packets that arrive in the window.
fn noise(row: &Row, rate: f64) -> f64 {
    let cycles = row.number("measure_cycles_max") * row.number("nodes");
    let packets = rate * cycles / row.number("fpp_flits");
    if is_random(row) { 0.6 * rate / packets.sqrt() } else { 0.0 }
}

/// 2 % or 0.01, beside the noise of the rows; 0.03 where a flow locks to the phase of another.
fn tolerance(row: &Row, rate: f64, rows: f64) -> f64 {
    if row.text("note").starts_with("VOQ") {
        return 0.03;
    }
    (0.02 * rate).max(0.01) + 2.0 * noise(row, rate) / rows.sqrt()
}

#[test]
#[ignore = "long tier"]
fn saturated_networks_accept_what_booksim2_accepts() {
    let mut alike: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for row in rows("atr.csv") {
        alike.entry(NAME.map(|column| row.text(column)).join(" ")).or_default().push(row);
    }
    let alike: Vec<_> = alike.into_iter().collect();
    let ours = each(&alike, |(_, rows)| ours(&rows[0]));
    let mut table = Vec::new();
    for ((name, rows), ours) in alike.iter().zip(ours) {
        let theirs = mean(rows.iter().map(|row| row.number("atr_avg_flits_per_node_cycle")));
        let allowed = tolerance(&rows[0], theirs, rows.len() as f64);
        table.push(((ours - theirs).abs() / allowed, name, theirs, ours));
    }
    table.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!("share of the tolerance, BookSim2, weft, row");
    for (share, name, theirs, ours) in &table {
        println!("{share:5.2} {theirs:.4} {ours:.4} {name}");
    }
    assert!(table[0].0 <= 1.0, "{:?}", table[0]);
    let random: Vec<_> = table.iter().filter(|row| row.1.contains("uniform")).collect();
    let bias = mean(random.iter().map(|(_, _, theirs, ours)| ours / theirs - 1.0));
    println!("mean difference under uniform traffic: {:.2} %", 100.0 * bias);
    assert!(bias.abs() < 0.005);
}
