//! Table 1 of the MFS paper: ten packets of every node of a k-ary 3-tree to random destinations.

use crate::booksim2::network::{network, router};
use crate::booksim2::rows::{Row, deviation, each, mean, rows};
use crate::common::{Listed, Observed};
use packet::router_options::RouterOptions;
use packet::traffic::Packet;
use workload::Random;

/// Completion time, mean packet latency and mean network latency of one run.
fn run(row: &Row, seed: u64) -> [f64; 3] {
    let network = network(row, true);
    let default = row.text("pipeline") == "default";
    let options = RouterOptions {
        routing_delay_cycles: u32::from(default),
        speculative: !default,
        ..router(row)
    };
    let mut random = Random::new(seed);
    let (nodes, each) = (network.nodes(), row.count("packets_per_node"));
    let flits = row.count("fpp_flits");
    let mut packets = Vec::new();
    for src in 0..nodes {
        for created in 0..u64::from(each) {
            packets.push((
                src,
                Packet { dst: random.below(nodes), flits, created, message: 0, number: 0 },
            ));
        }
    }
    let traffic = Listed::new(nodes, packets);
    let mut simulation = network.simulation(&options, traffic, Observed::default(), seed);
    simulation.advance(10_000);
    let delivered = &simulation.recorder().delivered;
    assert_eq!(delivered.len() as u32, nodes * each);
    let last = delivered.iter().map(|packet| packet.arrived).max().unwrap();
    let mean = |sum: u64| sum as f64 / delivered.len() as f64;
    [
        last as f64,
        mean(delivered.iter().map(|p| p.arrived - p.created).sum()),
        mean(delivered.iter().map(|p| p.arrived - p.departed).sum()),
    ]
}

/// Distance between two samples: most difference between their distribution functions.
fn kolmogorov_smirnov(one: &[f64], other: &[f64]) -> f64 {
    let below = |sample: &[f64], limit: f64| {
        sample.iter().filter(|&&value| value <= limit).count() as f64 / sample.len() as f64
    };
    let steps = one.iter().chain(other);
    steps.map(|&at| (below(one, at) - below(other, at)).abs()).fold(0.0, f64::max)
}

#[test]
#[ignore = "long tier"]
fn batches_take_as_long_as_in_booksim2() {
    let rows = rows("table1.csv");
    let runs = each(&rows, |row| {
        let seeds = (2048 / row.count("nodes")).clamp(2, 24);
        (1..=seeds.into()).map(|seed| run(row, seed)).collect::<Vec<_>>()
    });
    println!("row: BookSim2, weft, difference; completion, packet latency, network latency");
    // Completion times of all sizes in one sample, each by our mean for its size.
    let (mut theirs_all, mut ours_all) = (Vec::new(), Vec::new());
    for (row, runs) in rows.iter().zip(&runs) {
        let name = ["k", "routing", "pipeline", "seed"].map(|column| row.text(column)).join(" ");
        print!("{name:24}");
        let columns =
            ["completion_cycles", "packet_latency_avg_cycles", "network_latency_avg_cycles"];
        for (i, column) in columns.into_iter().enumerate() {
            let theirs = row.number(column);
            let ours: Vec<f64> = runs.iter().map(|run| run[i]).collect();
            let centre = mean(ours.iter().copied());
            let difference = centre / theirs - 1.0;
            print!(" | {theirs:8.2} {centre:8.2} {:6.2} %", 100.0 * difference);
            if i == 0 {
                theirs_all.push(theirs / centre);
                ours_all.extend(ours.iter().map(|ours| ours / centre));
            } else {
                // One batch draws its destinations once: up to 3 % at k = 4.
                let allowed = 0.01 + 3.0 * deviation(&ours) / theirs;
                assert!(difference.abs() < allowed.max(0.03), "{name} {column}");
            }
        }
        println!();
    }
    let (n, m) = (theirs_all.len() as f64, ours_all.len() as f64);
    let distance = kolmogorov_smirnov(&theirs_all, &ours_all);
    let critical = 1.63 * ((n + m) / (n * m)).sqrt();
    println!("Kolmogorov-Smirnov distance {distance:.3}, critical at 1 %: {critical:.3}");
    assert!(distance < critical);
}
