//! `weft-ideal`: a network without contention, as a command.

use engine::Simulator;
use std::process::ExitCode;

fn main() -> ExitCode {
    let simulator = Simulator {
        name: ideal::ENGINE,
        version: ideal::VERSION,
        declaration: ideal::declaration,
        commands: &[],
        in_process: |_| false,
        run_point: |point, _| ideal::run_point(point),
    };
    simulator.main()
}
