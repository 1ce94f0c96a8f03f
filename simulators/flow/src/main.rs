//! `weft-flow`: the flow-level engine as a command.
//!
//! `weft-flow simulate`, which is not for users, computes one point for a `weft-flow run`. `weft-flow cc`,
//! `weft-flow c++` and `weft-flow fc` are the compilers `weft-cc`, `weft-c++` and `weft-fc`.
//! `weft-flow routes` reads a point and prints its routes, for engines that others wrote.
//! `weft-flow needs` reads a point and prints how many virtual channels its routes need.
//! `weft-flow export` reads a point and prints its topology as the file of a graph.

use engine::{Answer, Point, Simulator, print};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some(code) = ranks::command(&words, flow::simulate_program) {
        return code;
    }
    let command = "weft-flow";
    if words == ["routes"] {
        return print(command, |out| flow::write_routes(&mut std::io::stdin().lock(), out));
    }
    if words == ["needs"] {
        return print(command, |out| flow::write_needs(&mut std::io::stdin().lock(), out));
    }
    if words == ["export"] {
        return print(command, |out| flow::write_graph(&mut std::io::stdin().lock(), out));
    }
    let simulator = Simulator {
        name: flow::ENGINE,
        version: flow::VERSION,
        declaration: flow::declaration,
        commands: &[
            ranks::COMPILERS,
            (
                "routes < POINT.json",
                "prints the routes of a point's topology, a JSON object a line.",
            ),
            (
                "needs < POINT.json",
                "prints how many virtual channels the routes of a point's topology need.",
            ),
            ("export < POINT.json", "prints the topology with its routes as the file of a graph."),
        ],
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
        false => flow::run_point(point, out).into(),
    })
}
