//! The time of a point does not grow with its ranks.

use crate::common::options;
use engine::Point;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Instant;

/// Points of so many ranks differ by a factor of a thousand in whatever has a step for each rank.
const FEW: u32 = 4_095;
const MANY: u32 = 1_000 * FEW;
/// Steps of a tree, one for each doubling, are at most twice as many.
const MOST_GROWTH: f64 = 50.0;

/// The fastest of many batches. A batch is shorter than a time slice, so other work on the machine never
/// interrupts all of them.
fn fastest_s(point: &Point) -> f64 {
    const BATCH: u32 = 50;
    let batch = |_| {
        let start = Instant::now();
        (0..BATCH).for_each(|_| drop(model::run_point(point).unwrap()));
        start.elapsed().as_secs_f64()
    };
    (0..40).map(batch).fold(f64::INFINITY, f64::min)
}

fn point(program: &str, ranks: u32, options: &Value) -> Point {
    serde_json::from_value(json!({
        "point_id": "p", "digest": "d", "options": options,
        "network": {"bandwidth_bytes_per_s": 1e9, "latency_s": 1e-6},
        "workload": {"kind": "program", "program": program, "ranks": ranks,
                     "message_bytes": [100_000]},
    }))
    .unwrap()
}

#[test]
fn a_thousand_times_the_ranks_take_about_the_same_time() {
    let curve = Path::new(env!("CARGO_TARGET_TMPDIR")).join("speed.csv");
    let rows: String = (3..31).map(|log| format!("{},3e-10,4e-10\n", 1_u64 << log)).collect();
    let text = format!("message_bytes,one_way_s_per_byte,two_way_s_per_byte\n{rows}");
    std::fs::write(&curve, text).unwrap();
    for (collective, choices) in model::ALGORITHMS {
        for (algorithm, _) in choices {
            for cost in ["hockney", "loggp", "model_4"] {
                let mut options = options(cost);
                options[format!("{collective}_algorithm")] = json!(algorithm);
                options["curve_file"] = json!(curve);
                let few = fastest_s(&point(collective, FEW, &options));
                let growth = fastest_s(&point(collective, MANY, &options)) / few;
                assert!(growth < MOST_GROWTH, "{collective} {algorithm} {cost}: {growth}");
                println!("{collective} {algorithm} {cost}: {few} s, {growth}");
            }
        }
    }
}
