//! `weft-packet`: the cycle-accurate engine as a command.
//!
//! `weft-packet simulate`, which is not for users, computes one point for a `weft-packet run`. `weft-packet cc`,
//! `weft-packet c++` and `weft-packet fc` are the compilers `weft-cc`, `weft-c++` and `weft-fc`.

use engine::{Answer, Point, Simulator};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some(code) = ranks::command(&words, packet::program::simulate) {
        return code;
    }
    let simulator = Simulator {
        name: packet::ENGINE,
        version: packet::VERSION,
        declaration: packet::declaration,
        commands: &[ranks::COMPILERS],
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
    programs::unless_cut(point, || match has_program(point) {
        true => ranks::run_point(point, out),
        false => packet::run_point(point, out).into(),
    })
}
