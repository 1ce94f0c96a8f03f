//! `weft-model`: closed-form cost models, as a command.

use engine::Simulator;
use std::process::ExitCode;

fn main() -> ExitCode {
    let simulator = Simulator {
        name: model::ENGINE,
        version: model::VERSION,
        declaration: model::declaration,
        commands: &[],
        in_process: |_| false,
        run_point: |point, _| model::run_point(point),
    };
    simulator.main()
}
