//! Points as shards, and what the executable makes of them.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub const BINARY: &str = env!("CARGO_BIN_EXE_weft-flow");

/// A folder of its own for each test.
pub fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("weft-flow-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

pub fn point(id: &str, topology: Value, workload: Value) -> Value {
    json!({
        "point_id": id, "digest": "d", "engine": "flow", "seed": 1,
        "topology": topology, "workload": workload,
        "network": {"bandwidth_bytes_per_s": 1e9, "latency_s": 1e-6, "hop_latency_s": 1e-7},
        "options": {"model": "equal_share", "tables": []},
    })
}

pub fn uniform(message_bytes: &[u64]) -> Value {
    json!({"kind": "messages", "pattern": "uniform", "per_node": 3, "outstanding": "all",
           "message_bytes": message_bytes, "include_self": false})
}

pub fn mesh() -> Value {
    json!({"kind": "mesh", "sizes": [3, 3], "k": 3, "dimensions": 2, "nodes": 9})
}

pub fn write_shard(folder: &Path, points: &[Value]) -> PathBuf {
    let path = folder.join("in.json");
    let shard = json!({"schema": 1, "engine": "flow", "engine_version": "0", "shard": "s",
                       "points": points});
    std::fs::write(&path, shard.to_string()).unwrap();
    path
}

pub fn run(folder: &Path, points: &[Value], threads: &str) -> Output {
    let shard = write_shard(folder, points);
    let mut command = Command::new(BINARY);
    command.arg("run").arg("--shard").arg(shard).arg("--out").arg(folder.join("out"));
    command.args(["--threads", threads]).output().unwrap()
}

pub fn journal(folder: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("out/journal.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
