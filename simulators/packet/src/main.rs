//! `weft-packet`: the cycle-accurate engine as a command.

use engine::Simulator;
use std::process::ExitCode;

fn main() -> ExitCode {
    let simulator = Simulator {
        name: packet::ENGINE,
        version: packet::VERSION,
        declaration: packet::declaration,
        in_processes: false,
        run_point: packet::run_point,
    };
    simulator.main()
}
