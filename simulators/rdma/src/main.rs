//! `weft-rdma`: the packet-level engine of programs as a command.
//!
//! `weft-rdma simulate`, which is not for users, computes one point for a `weft-rdma run`. `weft-rdma cc`,
//! `weft-rdma c++` and `weft-rdma fc` are the compilers `weft-cc`, `weft-c++` and `weft-fc`.

use engine::Simulator;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some(code) = ranks::command(&words, rdma::simulate) {
        return code;
    }
    let simulator = Simulator {
        name: rdma::ENGINE,
        version: rdma::VERSION,
        declaration: rdma::declaration,
        commands: &[ranks::COMPILERS],
        in_process: |_| true,
        run_point: |point, out| programs::unless_cut(point, || ranks::run_point(point, out)),
    };
    simulator.main()
}
