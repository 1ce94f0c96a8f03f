//! `weft-anet`: the A-NET router under programs, as a command.
//!
//! `weft-anet simulate`, which is not for users, computes one point for a `weft-anet run`. `weft-anet cc`,
//! `weft-anet c++` and `weft-anet fc` are the compilers `weft-cc`, `weft-c++` and `weft-fc`.
//! `weft-anet check` reads a point and looks for mistakes of its routers and its table of ports.

use engine::{Simulator, complain};
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some(code) = ranks::command(&words, anet::simulate) {
        return code;
    }
    if words == ["check"] {
        return match anet::check(std::io::stdin().lock()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(reason) => {
                complain("weft-anet", &reason);
                ExitCode::from(2)
            }
        };
    }
    let simulator = Simulator {
        name: anet::ENGINE,
        version: anet::VERSION,
        declaration: anet::declaration,
        commands: &[
            ranks::COMPILERS,
            (
                "check < POINT.json",
                "looks for mistakes of the routers of a topology and of a table of ports.",
            ),
        ],
        in_process: |_| true,
        run_point: |point, out| programs::unless_cut(point, || ranks::run_point(point, out)),
    };
    simulator.main()
}
