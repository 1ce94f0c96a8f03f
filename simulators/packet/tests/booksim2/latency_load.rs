//! Latency and accepted rate against offered load, 64 nodes, the default pipeline.

use crate::network::{network, router, traffic, Window};
use crate::rows::{each, rows, Row};

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
    let saturated = row.count("saturated") == 1;
    simulation.advance(if saturated { until } else { until + 3000 });
    let window = simulation.recorder();
    let packets = window.packets as f64;
    let (packet, network) = (window.packet_cycles as f64, window.network_cycles as f64);
    [packet / packets, network / packets, window.accepted()]
}

fn repeated(row: &Row) -> [(f64, f64); 3] {
    let seeds = 6;
    let runs: Vec<[f64; 3]> = (1..=seeds).map(|seed| run(row, seed)).collect();
    [0, 1, 2].map(|i| {
        let mean = runs.iter().map(|run| run[i]).sum::<f64>() / seeds as f64;
        let squares: f64 = runs.iter().map(|run| (run[i] - mean).powi(2)).sum();
        (mean, (squares / (seeds - 1) as f64).sqrt())
    })
}

#[test]
fn latencies_and_rates_are_those_of_booksim2() {
    let rows = rows("latency_load.csv");
    let ours = each(&rows, repeated);
    for (row, ours) in rows.iter().zip(ours) {
        let theirs = [
            "packet_latency_avg_cycles",
            "network_latency_avg_cycles",
            "accepted_avg_flits_per_node_cycle",
        ]
        .map(|c| row.number(c));
        print!(
            "{:16} {:3} {} {}",
            row.text("name"),
            row.text("packet_size_flits"),
            row.text("offered_flits_per_node_cycle"),
            row.text("saturated")
        );
        for i in 0..3 {
            print!(
                " | {:9.4} {:9.4} {:6.2}% z {:5.2}",
                theirs[i],
                ours[i].0,
                (ours[i].0 / theirs[i] - 1.0) * 100.0,
                (theirs[i] - ours[i].0) / ours[i].1
            );
        }
        println!();
    }
}
