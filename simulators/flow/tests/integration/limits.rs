//! Points that take more than they may are given up, and the others go on.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const BINARY: &str = env!("CARGO_BIN_EXE_weft-flow");

/// A folder of its own for each test.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("weft-flow-limits-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn point(id: &str, topology: Value, workload: Value) -> Value {
    json!({
        "point_id": id, "digest": "d", "engine": "flow", "seed": 1,
        "topology": topology, "workload": workload,
        "network": {"bandwidth_bytes_per_s": 1e9, "latency_s": 1e-6, "hop_latency_s": 1e-7},
        "options": {"model": "equal_share", "tables": []},
    })
}

fn uniform(message_bytes: &[u64]) -> Value {
    json!({"kind": "messages", "pattern": "uniform", "per_node": 3, "outstanding": "all",
           "message_bytes": message_bytes, "include_self": false})
}

fn mesh() -> Value {
    json!({"kind": "mesh", "sizes": [3, 3], "k": 3, "dimensions": 2, "nodes": 9})
}

fn write_shard(folder: &Path, points: &[Value]) -> PathBuf {
    let path = folder.join("in.json");
    let shard = json!({"schema": 1, "engine": "flow", "engine_version": "0", "shard": "s",
                       "points": points});
    std::fs::write(&path, shard.to_string()).unwrap();
    path
}

fn run(folder: &Path, points: &[Value], threads: &str) -> Output {
    let shard = write_shard(folder, points);
    let mut command = Command::new(BINARY);
    command.arg("run").arg("--shard").arg(shard).arg("--out").arg(folder.join("out"));
    command.args(["--threads", threads]).output().unwrap()
}

fn journal(folder: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("out/journal.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A point that takes minutes, with these limits.
fn endless(id: &str, limits: Value) -> Value {
    let sizes: Vec<u64> = (1..200_000).collect();
    let mut point = point(id, mesh(), uniform(&sizes));
    point["options"]["model"] = json!("max_min");
    point["limits"] = limits;
    point
}

fn errors(folder: &Path) -> Vec<(String, Option<String>)> {
    let text = |value: &Value| value.as_str().map(String::from);
    let error = |line: &Value| (text(&line["point_id"]).unwrap(), text(&line["error"]));
    let mut errors: Vec<_> = journal(folder).iter().map(error).collect();
    errors.sort();
    errors
}

#[test]
fn points_that_take_too_long_are_given_up_and_the_others_go_on() {
    for threads in ["1", "2"] {
        let folder = folder(&format!("limit-{threads}"));
        let limits = json!({"timeout_s": 0.3});
        let mut points = vec![endless("a", limits.clone()), endless("b", limits)];
        points.extend(["c", "d"].map(|id| point(id, mesh(), uniform(&[8]))));
        assert!(run(&folder, &points, threads).status.success());
        let found = errors(&folder);
        assert_eq!(found.len(), 4, "{found:?}");
        for (_, error) in &found[..2] {
            assert!(error.as_ref().unwrap().starts_with("the point's 0.3 s are over"), "{found:?}");
        }
        assert!(found[2..].iter().all(|(_, error)| error.is_none()), "{found:?}");
    }
}

#[test]
fn a_point_that_takes_too_much_memory_is_found_among_others() {
    let folder = folder("memory");
    let limits = json!({"memory_bytes": 1 << 20, "timeout_s": 60.0});
    let tiny = point("b", mesh(), uniform(&[8]));
    let points = [endless("a", limits.clone()), tiny, endless("c", limits)];
    assert!(run(&folder, &points, "2").status.success());
    let found = errors(&folder);
    assert!(found[0].1.as_ref().unwrap().contains("more than 1048576 B of memory"), "{found:?}");
    assert!(found[1].1.is_none() && found[2].1.is_some(), "{found:?}");
}
