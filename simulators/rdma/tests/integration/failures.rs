//! Errors about wrong programs name rank and call, and end only the program's own point.

use crate::shard::{command, folder, journal, point, run};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

fn misbehaving(what: &str) -> Value {
    with_argument("misbehaves", what)
}

/// A program with an argument.
fn with_argument(program: &str, what: &str) -> Value {
    let mut point = point(program, 3);
    point["point_id"] = json!(what);
    point["workload"]["arguments"] = json!([what]);
    point
}

/// The error of a point whose rank 1 does this; the point beside it must be done.
fn error_of(what: &str) -> String {
    error_of_point(&misbehaving(what))
}

fn error_of_point(point: &Value) -> String {
    let folder = folder(&format!("{}-{}", point["workload"]["program"], point["point_id"]));
    let output = run(&folder, &[point.clone(), misbehaving("nothing")], "1");
    assert!(output.status.success(), "{output:?}");
    let lines = journal(&folder);
    assert_eq!((&lines[0]["status"], &lines[1]["status"]), (&json!("failed"), &json!("done")));
    assert!(lines[0]["cpu_s"].as_f64().unwrap() > 0.0);
    lines[0]["error"].as_str().unwrap().to_string()
}

fn assert_error_names(what: &str, parts: &[&str]) {
    let error = error_of(what);
    assert!(parts.iter().all(|part| error.contains(part)), "{error}");
}

#[test]
fn an_endless_loop_is_reported_with_rank_and_last_call() {
    assert_error_names(
        "loop",
        &["rank 1 has run for 0.3 s", "without a call, last call MGEN_Barrier"],
    );
}

/// The rank waits for a time that never comes.
#[test]
fn waiting_for_the_own_clock_for_ever_is_reported() {
    assert_error_names("clock", &["rank 1: MGEN_Wtime", "in a loop, for more than 1e6 s"]);
}

#[test]
fn a_crash_is_reported_with_rank_address_and_last_call() {
    assert_error_names(
        "crash",
        &["rank 1: segmentation fault", "address 0x10", "last call MGEN_Barrier"],
    );
}

#[test]
fn an_arithmetic_error_is_reported_with_its_rank() {
    assert_error_names("divide", &["rank 1: arithmetic error", "SIGFPE"]);
}

#[test]
fn a_stack_that_is_used_up_is_reported_with_the_option_that_helps() {
    assert_error_names("overflow", &["rank 1: stack overflow", "engine.rdma.stack"]);
}

#[test]
fn what_the_c_library_finds_is_reported_with_its_rank() {
    assert_error_names("abort", &["rank 1: abort() was called", "SIGABRT"]);
    assert_error_names("double_free", &["rank 1: abort() was called", "SIGABRT"]);
}

#[test]
fn leaving_by_exit_is_reported_with_its_rank() {
    assert_error_names("exit", &["rank 1 called exit()", "last call MGEN_Barrier"]);
    assert_error_names("_exit", &["ended without an answer, exit code 3"]);
}

fn assert_plain(what: &str, parts: &[&str]) {
    let error = error_of_point(&with_argument("plain", what));
    assert!(parts.iter().all(|part| error.contains(part)) && !error.contains("MGEN_"), "{error}");
}

#[test]
fn errors_about_a_plain_program_name_its_calls_as_it_wrote_them() {
    assert_plain("nobody", &["rank 1: MPI_Send", "99"]);
    assert_plain("wait", &["rank 1 waits in MPI_Recv"]);
    assert_plain("crash", &["rank 1: segmentation fault", "last call MPI_Comm_rank"]);
}

#[test]
fn a_plain_program_ends_by_exit_as_by_returning() {
    let folder = folder("plain-exit");
    run(&folder, &[with_argument("plain", "0")], "1");
    assert_eq!(journal(&folder)[0]["error"], Value::Null);
    assert_plain("6", &["rank 1 ended with code 6", "last call was MPI_Finalize"]);
}

#[test]
fn ranks_have_variables_of_their_own_whatever_their_names() {
    let folder = folder("counts");
    run(&folder, &[point("counts", 3)], "1");
    assert_eq!(journal(&folder)[0]["error"], Value::Null);
}

/// Nothing but the wall clock sees these; the endless loop is not looked for.
fn limited(what: &str, limits: Value) -> String {
    let mut point = misbehaving(what);
    point["limits"] = limits;
    point["options"]["loop_limit_s"] = json!(1000.0);
    error_of_point(&point)
}

#[test]
fn a_point_that_does_not_end_is_ended_with_rank_and_reason() {
    // The time also passes while the program is compiled, which takes long on a busy machine.
    run(&folder("compiled-before"), &[misbehaving("nothing")], "1");
    let limits = json!({"timeout_s": 8.0});
    let over = "the point reached its limit of 8 s";
    let ends = |what: &str, words: &str| {
        let error = limited(what, limits.clone());
        assert!(error.starts_with(words) && error.contains(over), "{what}: {error}");
        assert!(error.contains("machine.simulation_timeout"), "{error}");
    };
    std::thread::scope(|scope| {
        scope.spawn(|| ends("sleep", "rank 1, last call MGEN_Barrier: "));
        scope.spawn(|| ends("loop", "rank 1, last call MGEN_Barrier: "));
        scope.spawn(|| ends("block", "rank 1 ran last: "));
        scope.spawn(|| ends("barriers", "rank "));
    });
}

#[test]
fn a_point_that_prints_or_takes_memory_without_end_is_ended_with_rank_and_reason() {
    // The time limit ends the point where the other one does not work.
    let error = limited("flood", json!({"output_bytes": 1 << 20, "timeout_s": 60.0}));
    assert!(error.starts_with("rank 1, last call MGEN_Barrier: the program prints"), "{error}");
    assert!(
        error.contains("more than 1048576 B; to allow more, raise machine.output_limit"),
        "{error}"
    );
    let error = limited("memory", json!({"memory_bytes": 100 << 20, "timeout_s": 60.0}));
    assert!(error.starts_with("rank 1, last call MGEN_Barrier: the point uses"), "{error}");
    assert!(
        error
            .contains("more than 104857600 B of memory; to allow more, raise machine.memory_limit"),
        "{error}"
    );
}

/// As where the kernel cannot confine programs: otherwise these begin no process and no thread.
fn run_unconfined(folder: &Path, points: &[Value]) {
    let mut command = command(folder, points, "1");
    assert!(command.env("WEFT_CONFINEMENT", "off").status().unwrap().success());
}

#[test]
fn what_a_program_leaves_behind_ends_with_its_point() {
    let folder = folder("fork");
    run_unconfined(&folder, &[misbehaving("fork"), misbehaving("read")]);
    assert!(journal(&folder).iter().all(|line| line["error"].is_null()), "{:?}", journal(&folder));
    assert_eq!(processes(folder.to_str().unwrap()), 0);
}

#[test]
fn a_call_from_another_thread_is_reported() {
    let folder = folder("thread");
    run_unconfined(&folder, &[misbehaving("thread")]);
    let error = journal(&folder)[0]["error"].to_string();
    let expected = "MGEN_Wtime was called from another thread; only the rank's own";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn a_rank_that_gives_up_is_reported_with_its_code() {
    assert_error_names("return", &["rank 1 ended with code 5"]);
    assert_error_names("mgen_abort", &["rank 1: MGEN_Abort", "7"]);
}

#[test]
fn a_message_to_nobody_is_reported_with_rank_and_call() {
    assert_error_names("nobody", &["rank 1: MGEN_Send", "99"]);
}

#[test]
fn a_deadlock_is_reported_with_who_waits_for_what() {
    assert_error_names(
        "deadlock",
        &["deadlock", "rank 1 waits in MGEN_Recv", "rank 0 with tag 17"],
    );
}

#[test]
fn a_compile_error_is_the_failure_of_the_point() {
    let folder = folder("misspelt");
    run(&folder, &[point("misspelt", 2)], "1");
    let line = &journal(&folder)[0];
    let error = line["error"].as_str().unwrap();
    assert!(error.contains("misspelt.c:6:5: error"), "{error}");
}

#[test]
fn what_a_program_prints_goes_to_the_log_up_to_a_limit() {
    let folder = folder("print");
    let output = run(&folder, &[misbehaving("print")], "1");
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(log.contains("point print: line 17 of a long text\n"), "{log}");
    assert!(!log.contains("line 4999 of") && log.contains("prints more than 65536 B"));
    assert!(output.stdout.is_empty());
    assert_eq!(journal(&folder)[0]["status"], "done");
}

/// Processes whose command line names the folder.
fn processes(folder: &str) -> usize {
    command_lines(folder).len()
}

fn command_lines(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).into_owned());
    lines.filter(|line| line.contains(folder)).collect()
}

/// Processes of the engine, without the compiler's.
fn engines(folder: &str) -> usize {
    let name = env!("CARGO_BIN_EXE_weft-rdma");
    command_lines(folder).iter().filter(|line| line.starts_with(name)).count()
}

/// Waits, for minutes on a machine that has so much else to do.
fn eventually(holds: impl Fn() -> bool) {
    let until = Instant::now() + Duration::from_secs(600);
    while !holds() {
        assert!(Instant::now() < until, "it did not happen in time");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// SIGKILL gives the engine no chance to end its children.
#[test]
fn a_killed_engine_leaves_no_process_behind() {
    let folder = folder("killed");
    let mut point = misbehaving("loop");
    point["options"]["loop_limit_s"] = json!(1000.0);
    let mut point2 = point.clone();
    point2["point_id"] = json!("second");
    let mut child = command(&folder, &[point, point2], "2");
    // The folders in which points run name their processes.
    let mut child = child.env("TMPDIR", &folder).stderr(Stdio::piped()).spawn().unwrap();
    // The first line of progress: the points are running.
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let name = folder.to_str().unwrap();
    eventually(|| engines(name) == 3);
    child.kill().unwrap();
    child.wait().unwrap();
    eventually(|| processes(name) == 0);
}
