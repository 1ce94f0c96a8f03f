//! Shards of test programs, run by the executable.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

pub const BINARY: &str = env!("CARGO_BIN_EXE_weft-rdma");

/// A new folder for each call: tests run side by side, and two of them may use one name.
pub fn folder(name: &str) -> PathBuf {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let call = CALLS.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("weft-rdma-{}-{call}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// A program of `tests/programs/` on a crossbar with a node per rank: 1 us of latency, 1 GB/s.
pub fn point(program: &str, ranks: u32) -> Value {
    let source = format!("{}/../ranks/tests/programs/{program}.c", env!("CARGO_MANIFEST_DIR"));
    json!({
        "point_id": program, "digest": "d", "engine": "rdma", "seed": 1,
        "topology": {"kind": "crossbar", "nodes": ranks},
        "network": {"bandwidth_bytes_per_s": 1e9, "latency_s": 1e-6, "hop_latency_s": 0.0},
        "workload": {"kind": "program", "program": program, "source": source, "ranks": ranks,
                     "message_bytes": null, "arguments": []},
        "options": {"payload": "delivered", "eager_limit_bytes": 16384,
                    "zero_copy_limit_bytes": null, "rank_to_node": "linear", "ranks_per_node": 1,
                    "rank_file": null, "stack_bytes": 65536, "loop_limit_s": 0.3, "tables": [],
                    "series_interval_s": 1e-6},
    })
}

/// The command that computes the points; programs are compiled once for all tests.
pub fn command(folder: &Path, points: &[Value], threads: &str) -> Command {
    let shard = folder.join("in.json");
    let text = json!({"schema": 1, "engine": "rdma", "engine_version": "0", "shard": "s",
                      "points": points});
    std::fs::write(&shard, text.to_string()).unwrap();
    let mut command = Command::new(BINARY);
    command.env("WEFT_PROGRAM_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs"));
    command.arg("run").arg("--shard").arg(shard).arg("--out").arg(folder.join("out"));
    command.args(["--threads", threads]);
    command
}

pub fn run(folder: &Path, points: &[Value], threads: &str) -> Output {
    command(folder, points, threads).output().unwrap()
}

pub fn journal(folder: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("out/journal.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
