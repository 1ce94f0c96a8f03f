//! `weft-flow`: the flow-level engine as a command.
//!
//! `weft-flow simulate`, which is not for users, computes one point for a `weft-flow run`.

use engine::{Answer, Point, Simulator};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let ["simulate", parent, out] = words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        return ranks::simulate(parent, Path::new(out), flow::simulate_program);
    }
    let simulator = Simulator {
        name: flow::ENGINE,
        version: flow::VERSION,
        declaration: flow::declaration,
        in_process: has_program,
        run_point,
    };
    simulator.main()
}

/// Programs may bring down their process.
fn has_program(point: &Point) -> bool {
    point.spec.get("workload").is_some_and(|workload| workload["kind"] == "program")
}

fn run_point(point: &Point, out: &Path) -> Answer {
    match has_program(point) {
        true => ranks::run_point(point, out),
        false => flow::run_point(point, out).into(),
    }
}
