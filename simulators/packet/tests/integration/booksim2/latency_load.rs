//! Latency and accepted rate against offered load, 64 nodes, the default pipeline.

use crate::booksim2::network::{Window, network, router, traffic};
use crate::booksim2::rows::{Row, deviation, each, mean, rows};

const SEEDS: u64 = 4;

/// Packet latency, network latency and accepted rate of one run.
fn run(row: &Row, seed: u64) -> [f64; 3] {
    let network = network(row, true);
    let rate = row.number("offered_flits_per_node_cycle");
    let flits = row.count("packet_size_flits");
    let traffic = traffic(&network, "uniform", flits, rate, seed);
    let from = row.number("warmup_cycles") as u64;
    let until = from + row.number("measure_cycles_max") as u64;
    let window = Window::new(network.nodes(), from, until);
    let mut simulation = network.simulation(&router(row), traffic, window, seed);
    // Injection goes on while the packets of the window drain.
    simulation.advance(if is_saturated(row) { until } else { until + 3000 });
    let window = simulation.recorder();
    let packets = window.packets as f64;
    let (packet, network) = (window.packet_cycles as f64, window.network_cycles as f64);
    [packet / packets, network / packets, window.accepted()]
}

fn is_saturated(row: &Row) -> bool {
    row.count("saturated") == 1
}

/// At this load the torus holds out for a while or not, by chance.
fn is_bistable(row: &Row) -> bool {
    row.text("name") == "torus8x8" && row.text("offered_flits_per_node_cycle") == "0.25"
}

/// Value of theirs, our runs, and the relative tolerance beside the noise of one run.
fn compared(row: &Row, runs: &[[f64; 3]]) -> Vec<(f64, Vec<f64>, f64)> {
    let columns = [
        ("packet_latency_avg_cycles", 0.01),
        ("network_latency_avg_cycles", 0.01),
        ("accepted_avg_flits_per_node_cycle", 0.02),
    ];
    let which = if is_saturated(row) { 2..3 } else { 0..3 };
    let of = |i: usize| runs.iter().map(|run| run[i]).collect();
    which.map(|i| (row.number(columns[i].0), of(i), columns[i].1)).collect()
}

#[test]
fn latencies_and_rates_are_those_of_booksim2() {
    let rows = rows("latency_load.csv");
    let runs = each(&rows, |row| (1..=SEEDS).map(|seed| run(row, seed)).collect::<Vec<_>>());
    println!("row: BookSim2, weft, difference; packet and network latency, accepted rate");
    let mut wrong = Vec::new();
    for (row, runs) in rows.iter().zip(runs) {
        let name = ["name", "packet_size_flits", "offered_flits_per_node_cycle"];
        let name = name.map(|column| row.text(column)).join(" ");
        print!("{name:24}");
        for (theirs, ours, allowed) in compared(row, &runs) {
            let difference = mean(ours.iter().copied()) / theirs - 1.0;
            let noise = deviation(&ours) / theirs;
            print!(" | {theirs:8.4} {:8.4} {:5.2} %", mean(ours), 100.0 * difference);
            if difference.abs() > allowed + noise && !is_bistable(row) {
                wrong.push(name.clone());
            }
        }
        println!();
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
