//! The barriers of puts in `programs/` on one InfiniBand QDR switch (NSIM-ACE, Table 1): closed
//! forms for 2 to 32 ranks, one per node.

use crate::shard::{folder, journal, point, run};
use serde_json::{Value, json};

/// L + 2 cables + RC, VA, SA + switch + (8 + 32) B on the link + DMA on both sides, in picoseconds.
const PUT: u64 = 1_000_000 + 1_200 + 12_000 + 128_000 + 10_000 + 2 * 2_857;
/// The answer to the last one: no L, no data, no DMA.
const ANSWER: u64 = 1_200 + 12_000 + 128_000 + 8_000;
/// A put on a link.
const ON_LINK: u64 = 10_000;

fn barrier(program: &str, ranks: u32) -> Value {
    let mut point = point("barrier", ranks);
    point["point_id"] = json!(format!("{ranks:02}"));
    point["workload"]["source"] =
        json!(format!("{}/../../programs/{program}.c", env!("CARGO_MANIFEST_DIR")));
    point["network"] = json!({
        "bandwidth_bytes_per_s": 4e9,
        "packet": {"mtu_bytes": 2048, "header_bytes": 32, "control_bytes": 0, "flit_bytes": 8},
        "router": {"routing_s": 4e-9, "vc_allocation_s": 4e-9, "switch_allocation_s": 4e-9,
                   "switch_s": 128e-9},
        "cables": {"cable_s": 0.6e-9},
        "nic": {"dma_bytes_per_s": 2.8e9, "dma_unit": "packet"},
        "software": {"put_s": 1e-6},
    });
    point
}

/// Ranks and program time in picoseconds for 2 to 32 ranks.
fn times(program: &str) -> Vec<(u64, u64)> {
    let folder = folder(program);
    let points: Vec<Value> = (2..=32).map(|ranks| barrier(program, ranks)).collect();
    let output = run(&folder, &points, "1");
    assert!(output.status.success(), "{output:?}");
    let time = |line: Value| {
        let metrics = line["metrics"].as_array().unwrap();
        let found = metrics.iter().find(|m| m["metric"] == "program_time_s").unwrap();
        let ranks = line["point_id"].as_str().unwrap().parse().unwrap();
        (ranks, (found["value"].as_f64().unwrap() * 1e12).round() as u64)
    };
    let times: Vec<_> = journal(&folder).into_iter().map(time).collect();
    assert_eq!(times.len(), 31);
    times
}

#[test]
fn a_ring_takes_p_minus_1_puts_and_an_answer() {
    for (ranks, time) in times("barrier_ring") {
        assert_eq!(time, (ranks - 1) * PUT + ANSWER, "{ranks} ranks");
    }
}

/// Puts on the longest path: ranks that skip the first step run ahead of the others.
fn longest_path(ranks: u64) -> u64 {
    let steps = ranks.ilog2();
    let (power, guests) = (1 << steps, ranks as usize - (1 << steps));
    let mut puts: Vec<u64> = (0..power).map(|rank| u64::from(rank < guests)).collect();
    for bit in 0..steps {
        puts = (0..power).map(|rank| puts[rank].max(puts[rank ^ 1 << bit] + 1)).collect();
    }
    let last = puts.iter().copied().max().unwrap();
    last.max((0..guests).map(|rank| puts[rank] + 1).max().unwrap_or(0))
}

/// Exact for powers of two. With other numbers, puts of ranks that run ahead meet others at ports,
/// where each waits for a put at most, once per step.
#[test]
fn recursive_doubling_takes_the_longest_path_and_an_answer() {
    for (ranks, time) in times("barrier_recursive_doubling") {
        let expected = longest_path(ranks) * PUT + ANSWER;
        let meeting = if ranks.is_power_of_two() { 0 } else { longest_path(ranks) * ON_LINK };
        assert!((expected..=expected + meeting).contains(&time), "{ranks}: {time}, {expected}");
    }
}
