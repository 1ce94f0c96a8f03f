//! Programs whose computing takes the time that was measured.

use mpi::computing::{Stretch, Times, from_bytes, to_bytes};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

const BINARY: &str = env!("CARGO_BIN_EXE_weft-flow");

/// What is before `MPI_Init` and behind `MPI_Finalize` does not count.
const PLAIN: &str = "
#include <mpi.h>
#include <stdlib.h>
static volatile double sum;
static void work(long steps) { for (long i = 0; i < steps; i++) sum += i; }
int main(int argc, char **argv) {
    int rank;
    work(30000000);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    work(atol(argv[1]) * (rank + 1));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    work(30000000);
    return 0;
}
";
/// Calls that a user's own call is made of are none of the program's.
const TWO: &str = "
#include \"mgen.h\"
int MGEN_Main(int argc, char **argv) {
    int rank;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Comp(1e-3);
    MGEN_Barrier(MGEN_COMM_WORLD);
    return 0;
}
";

/// Of the passes of its loop a rank may run 40, with all executions of the loop.
const SAMPLED: &str = "
#include <mpi.h>
#include <stdio.h>
#ifndef MGEN_SAMPLED_FOR
#define MGEN_SAMPLED_FOR(begin, condition, step, passes) for (begin; condition; step)
#endif
static volatile double sum;
int main(int argc, char **argv) {
    int rank, ran = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < 4; step++) {
        MGEN_SAMPLED_FOR (int i = 0, i < 500, i++, 40) {
            ran++;
            for (long k = 0; k < 5000; k++) sum += k;
            BODY
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return ran == RAN ? 0 : 3;
}
";

fn folder(name: &str, program: &str) -> PathBuf {
    let path =
        std::env::temp_dir().join(format!("weft-flow-computing-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    std::fs::write(path.join("program.c"), program).unwrap();
    path
}

/// The journal's line of the program on two ranks.
fn run(folder: &Path, name: &str, arguments: &[&str], options: Value) -> Value {
    let mut point = json!({
        "point_id": name, "digest": name, "engine": "flow", "seed": 1,
        "topology": {"kind": "crossbar", "nodes": 2},
        "network": {"bandwidth_bytes_per_s": 4e9, "latency_s": 0.0, "hop_latency_s": 0.0},
        "workload": {"kind": "program", "program": "p", "source": folder.join("program.c"),
                     "ranks": 2, "message_bytes": null, "arguments": arguments},
        "options": {"model": "equal_share", "payload": "delivered", "eager_limit_bytes": 16384,
                    "zero_copy_limit_bytes": null, "rank_to_node": "linear", "ranks_per_node": 1,
                    "rank_file": null, "stack_bytes": 65536, "loop_limit_s": 60.0, "tables": [],
                    "series_interval_s": 1e-6},
    });
    point["options"].as_object_mut().unwrap().append(&mut options.as_object().unwrap().clone());
    let (shard, out) = (folder.join("in.json"), folder.join("out"));
    let order = json!({"schema": 1, "engine": "flow", "points": [point]});
    std::fs::write(&shard, order.to_string()).unwrap();
    let done = Command::new(BINARY)
        .env("WEFT_PROGRAM_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs"))
        .args(["run", "--threads", "1", "--shard"])
        .args([&shard, Path::new("--out"), &out])
        .output()
        .unwrap();
    assert!(done.status.success(), "{done:?}");
    let text = std::fs::read_to_string(out.join("journal.jsonl")).unwrap();
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

fn program_time_s(line: &Value) -> f64 {
    assert_eq!(line["error"], Value::Null, "{line}");
    line["metrics"][0]["value"].as_f64().unwrap()
}

fn measured(folder: &Path, name: &str) -> PathBuf {
    folder.join("out").join(format!("compute-{name}.times"))
}

#[test]
fn what_was_measured_takes_its_time_each_time() {
    let folder = folder("plain", PLAIN);
    let arguments = ["3000000"];
    assert_eq!(program_time_s(&run(&folder, "free", &arguments, json!({}))), 0.0);
    let line = run(&folder, "m", &arguments, json!({"compute_runs": 2}));
    assert_eq!(line["error"], Value::Null);
    let computed_s = line["metrics"][0]["value"].as_f64().unwrap();
    let file = measured(&folder, "m");
    let options = |factor: f64| json!({"compute": "measured", "compute_factor": factor, "compute_times": &file});
    let [first, second, twice] = [("a", 1.0), ("b", 1.0), ("c", 2.0)]
        .map(|(name, factor)| program_time_s(&run(&folder, name, &arguments, options(factor))));
    assert_eq!(first, second);
    assert!((twice / first - 2.0).abs() < 1e-6, "{first} {twice}");
    // The slower rank works 6 million steps that count, and 60 million that do not.
    let [found] = &from_bytes(&std::fs::read(&file).unwrap()).unwrap()[..] else { panic!() };
    let slowest = found.ranks[1].iter().map(|stretch| stretch.ns).sum::<u64>() as f64 * 1e-9;
    assert!((first - slowest).abs() < 1e-3 * slowest, "{first} {slowest}");
    let both = found.ranks.iter().flatten().map(|stretch| stretch.ns).sum::<u64>() as f64 * 1e-9;
    assert!((computed_s / both - 1.0).abs() < 1e-9, "{computed_s} {both}");
    let all_s = line["cpu_s"].as_f64().unwrap();
    assert!(first < all_s / 8.0, "{first} of {all_s}");
}

#[test]
fn measured_and_declared_times_add_up() {
    let folder = folder("two", TWO);
    let stretch = |call, us: u64| Stretch { call, tests: false, ns: us * 1000 };
    let rank = |before| vec![stretch(0, 1), stretch(1, before), stretch(2, 40), stretch(3, 500)];
    let calls = ["MGEN_Comm_rank", "MGEN_Comp", "MGEN_Barrier", "the end of the program"];
    let calls: Vec<String> = calls.map(Into::into).to_vec();
    let times = Times { calls, ranks: vec![rank(100), rank(300)], ..Times::default() };
    let file = folder.join("two.times");
    std::fs::write(&file, to_bytes(&[times])).unwrap();
    let options = json!({"compute": "measured", "compute_times": file});
    let found = program_time_s(&run(&folder, "a", &[], options));
    assert!((found - (1 + 300 + 1000 + 40 + 500) as f64 * 1e-6).abs() < 1e-12, "{found}");
}

#[test]
fn a_program_that_calls_something_else_is_found_out() {
    let folder = folder("other", TWO);
    run(&folder, "m", &[], json!({"compute_runs": 1}));
    let other = TWO.replace("MGEN_Comp(1e-3)", "if (rank) MGEN_Copy(0, 0, 8)");
    std::fs::write(folder.join("program.c"), other).unwrap();
    let options = json!({"compute": "measured", "compute_times": measured(&folder, "m")});
    let error = run(&folder, "a", &[], options)["error"].to_string();
    let expected = "call 2 of this rank was MGEN_Comp, and it is MGEN_Barrier now";
    assert!(error.contains(expected), "{error}");
    assert!(error.contains("engine.flow.compute to declared"), "{error}");
}

#[test]
fn a_sampled_loop_runs_its_first_passes_and_takes_the_time_of_all() {
    let folder = folder("sampled", &SAMPLED.replace("BODY", "").replace("RAN", "2000"));
    let measure = |name, mode: &str| {
        let line = run(&folder, name, &[], json!({"compute": mode, "compute_runs": 3}));
        assert_eq!(line["error"], Value::Null);
        line["cpu_s"].as_f64().unwrap()
    };
    let replay = |name, mode: &str, of: &str| {
        let options = json!({"compute": mode, "compute_times": measured(&folder, of)});
        program_time_s(&run(&folder, name, &[], options))
    };
    let all_s = measure("m", "measured");
    let whole = replay("a", "measured", "m");
    std::fs::write(
        folder.join("program.c"),
        SAMPLED.replace("BODY", "if (i % 9 == 4) continue;").replace("RAN", "40"),
    )
    .unwrap();
    let few_s = measure("s", "sampled");
    assert!(few_s < all_s / 4.0, "{few_s} of {all_s}");
    let [first, second] = ["b", "c"].map(|name| replay(name, "sampled", "s"));
    assert_eq!(first, second);
    // Other work on this machine slows down either of them.
    assert!((whole / 2.0..whole * 2.0).contains(&first), "{first} {whole}");
}

#[test]
fn a_pass_of_a_sampled_loop_that_does_not_end_is_found_out() {
    let calls = "the body of a sampled loop must not call MPI";
    for (number, (body, words)) in [
        ("MPI_Barrier(MPI_COMM_WORLD);", "MPI_Barrier: the rank was in a pass"),
        ("if (i == 3) break;", "MPI_Barrier: the rank was in a pass"),
        ("return 0;", "the rank was in a pass"),
        (
            "MGEN_SAMPLED_FOR (int j = 0, j < 2, j++, 1) ran++;",
            "began while the rank was in a pass",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let folder = folder(&format!("pass{number}"), "");
        let program = SAMPLED.replace("BODY", &format!("\n{body}")).replace("RAN", "40");
        std::fs::write(folder.join("program.c"), program).unwrap();
        let options = json!({"compute": "sampled", "compute_runs": 1});
        let error = run(&folder, "m", &[], options)["error"].to_string();
        assert!(error.contains(words) && error.contains(calls), "{error}");
        assert!(error.contains("program.c:13"), "{error}");
    }
}

#[test]
fn instructions_are_counted_where_the_processor_does() {
    let folder = folder("scaled", PLAIN);
    let line = run(&folder, "m", &["1000000"], json!({"compute": "scaled", "compute_runs": 1}));
    if let Some(error) = line["error"].as_str() {
        assert!(error.contains("this machine has no counter of instructions"), "{error}");
        return;
    }
    let options = |factor: f64| {
        let file = measured(&folder, "m");
        json!({"compute": "scaled", "compute_factor": factor, "compute_times": file})
    };
    let [one, two] = [("a", 1.0), ("b", 2.0)]
        .map(|(name, factor)| program_time_s(&run(&folder, name, &["1000000"], options(factor))));
    // A step of the slower rank, which has two million, takes some instructions.
    assert!((1.0..50.0).contains(&(one * 1e9 / 2e6)), "{one}");
    assert!((two / one - 2.0).abs() < 1e-3, "{one} {two}");
}

#[test]
fn a_file_that_is_none_is_named() {
    let folder = folder("none", TWO);
    std::fs::write(folder.join("x.times"), "{}\n").unwrap();
    for (file, expected) in [
        (json!(folder.join("x.times")), "no file of computing times"),
        (json!(folder.join("y.times")), "No such file"),
        (Value::Null, "needs compute_times"),
    ] {
        let options = json!({"compute": "measured", "compute_times": file});
        let error = run(&folder, "a", &[], options)["error"].to_string();
        assert!(error.contains(expected), "{error}");
        let _ = std::fs::remove_dir_all(folder.join("out"));
    }
}
