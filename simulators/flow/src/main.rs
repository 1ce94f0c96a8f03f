//! `weft-flow`: the flow-level engine as a command.

use engine::Simulator;
use std::process::ExitCode;

fn main() -> ExitCode {
    let simulator = Simulator {
        name: flow::ENGINE,
        version: flow::VERSION,
        declaration: flow::declaration,
        in_processes: false,
        run_point: flow::run_point,
    };
    simulator.main()
}
