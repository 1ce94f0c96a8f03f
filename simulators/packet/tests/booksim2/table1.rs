//! Table 1 of the MFS paper: ten packets of every node of a k-ary 3-tree to random destinations.

use crate::common::{Listed, Observed};
use crate::network::{network, router};
use crate::rows::{each, rows, Row};
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
            packets.push((src, Packet { dst: random.below(nodes), flits, created, message: 0 }));
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

#[test]
fn batches_take_as_long_as_in_booksim2() {
    let rows = rows("table1.csv");
    let ours = each(&rows, |row| {
        let seeds = (4096 / row.count("nodes")).clamp(3, 30);
        let runs: Vec<[f64; 3]> = (1..=seeds as u64).map(|seed| run(row, seed)).collect();
        [0, 1, 2].map(|i| {
            let mean = runs.iter().map(|run| run[i]).sum::<f64>() / seeds as f64;
            let squares: f64 = runs.iter().map(|run| (run[i] - mean).powi(2)).sum();
            (mean, (squares / (seeds - 1) as f64).sqrt())
        })
    });
    for (row, ours) in rows.iter().zip(ours) {
        let theirs =
            ["completion_cycles", "packet_latency_avg_cycles", "network_latency_avg_cycles"]
                .map(|c| row.number(c));
        print!("{:4} {:8} {:16}", row.text("k"), row.text("routing"), row.text("pipeline"));
        for i in 0..3 {
            print!(
                " | {:9.4} {:9.4} sd {:6.2}% z {:5.2}",
                theirs[i],
                ours[i].0,
                ours[i].1,
                (theirs[i] - ours[i].0) / ours[i].1
            );
        }
        println!();
    }
}
