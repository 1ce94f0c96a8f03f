//! Points with programs, by the executable: metrics, tables, failures, and what formulas gave before.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

const BINARY: &str = env!("CARGO_BIN_EXE_weft-flow");
const MODELS: [&str; 2] = ["equal_share", "max_min"];

fn folder(name: &str) -> PathBuf {
    let path =
        std::env::temp_dir().join(format!("weft-flow-programs-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// A program of weft on links of 4 GB/s that take no other time.
fn point(program: &str, topology: Value, ranks: u32, arguments: &[&str]) -> Value {
    let source = format!("{}/../../programs/{program}.c", env!("CARGO_MANIFEST_DIR"));
    json!({
        "point_id": program, "digest": "d", "engine": "flow", "seed": 1, "topology": topology,
        "network": {"bandwidth_bytes_per_s": 4e9, "latency_s": 0.0, "hop_latency_s": 0.0},
        "workload": {"kind": "program", "program": program, "source": source, "ranks": ranks,
                     "message_bytes": null, "arguments": arguments},
        "options": {"model": "equal_share", "payload": "sizes", "eager_limit_bytes": 16384,
                    "zero_copy_limit_bytes": null, "rank_to_node": "linear", "ranks_per_node": 1,
                    "rank_file": null, "stack_bytes": 65536, "loop_limit_s": 5.0, "tables": [],
                    "series_interval_s": 1e-6},
    })
}

fn run(folder: &Path, points: &[Value], threads: &str) -> Vec<Value> {
    let shard = folder.join("in.json");
    std::fs::write(&shard, json!({"schema": 1, "engine": "flow", "points": points}).to_string())
        .unwrap();
    let out = folder.join("out");
    let done = Command::new(BINARY)
        .env("WEFT_PROGRAM_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs"))
        .args(["run", "--threads", threads, "--shard"])
        .args([&shard, Path::new("--out"), &out])
        .output()
        .unwrap();
    assert!(done.status.success(), "{done:?}");
    let text = std::fs::read_to_string(out.join("journal.jsonl")).unwrap();
    let mut lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    lines.sort_by_key(|line| line["point_id"].to_string());
    lines
}

fn metric(line: &Value, name: &str, message_bytes: Value) -> f64 {
    let metrics = line["metrics"].as_array().unwrap_or_else(|| panic!("{line}"));
    let found = metrics
        .iter()
        .find(|m| m["metric"] == name && m["message_bytes"] == message_bytes)
        .unwrap_or_else(|| panic!("{name} in {line}"));
    found["value"].as_f64().unwrap()
}

#[test]
fn a_ping_pong_takes_latency_and_bytes() {
    let mut asked = point("pingpong", json!({"kind": "crossbar", "nodes": 2}), 2, &[]);
    asked["network"] = json!({"bandwidth_bytes_per_s": 1e9, "latency_s": 1e-6});
    asked["workload"]["message_bytes"] = json!([0, 1000]);
    let line = &run(&folder("pingpong"), &[asked], "1")[0];
    for (bytes, expected_s) in [(0, 1e-6), (1000, 2e-6)] {
        let close = |name: &str, expected_s: f64| {
            let found_s = metric(line, name, json!(bytes));
            assert!((found_s - expected_s).abs() < 1e-15, "{name} of {bytes} B: {found_s}");
        };
        close("one_way_time_s", expected_s);
        // A rank that comes late to a barrier of two leaves it first, by the latency of a message.
        close("exchange_time_s", expected_s + 1e-6);
        close("put_time_s", expected_s);
    }
}

/// Pairwise exchanges with a barrier between steps. Without delays the barriers take no time, so that
/// the time is the sum of the slowest messages of each step: a formula that this engine had before.
#[test]
fn steps_take_what_the_formula_gave() {
    let recorded = [
        (json!({"kind": "torus", "ties": "plus", "sizes": [8, 8]}), 64, 0.002506752),
        (json!({"kind": "mesh", "sizes": [4, 3]}), 12, 0.000229376),
        (json!({"kind": "fat_tree", "k": 2, "levels": 4, "routing": "dmodk"}), 16, 0.00024576),
        (json!({"kind": "dragonfly", "p": 2, "a": 4, "h": 2}), 72, 0.006684672),
    ];
    let mut points = vec![];
    for (number, (topology, ranks, _)) in recorded.iter().enumerate() {
        for (rule, eager_bytes) in MODELS.iter().flat_map(|rule| [(rule, 16384), (rule, 1 << 20)]) {
            let arguments = ["65536", "barriers"];
            let mut asked = point("alltoall_pairwise", topology.clone(), *ranks, &arguments);
            asked["point_id"] = json!(format!("{number} {rule} {eager_bytes}"));
            asked["options"]["model"] = json!(rule);
            asked["options"]["eager_limit_bytes"] = json!(eager_bytes);
            points.push(asked);
        }
    }
    for (place, line) in run(&folder("steps"), &points, "2").iter().enumerate() {
        let (_, ranks, expected_s) = &recorded[place / 4];
        let found_s = metric(line, "program_time_s", Value::Null);
        // Every step may round the clock.
        let rounding_s = f64::from(*ranks) * 1e-12;
        assert!((found_s - expected_s).abs() < rounding_s, "{}: {found_s}", line["point_id"]);
    }
}

#[test]
fn tables_are_written_and_change_no_metric() {
    let topology = json!({"kind": "torus", "ties": "plus", "sizes": [4, 4]});
    let folder = folder("tables");
    let mut plain = point("alltoall_pairwise", topology, 16, &["40000"]);
    let mut watched = plain.clone();
    plain["point_id"] = json!("a");
    watched["point_id"] = json!("w");
    watched["options"]["tables"] = json!(["series", "links", "messages", "history"]);
    let lines = run(&folder, &[plain, watched], "1");
    for row in lines[0]["metrics"].as_array().unwrap() {
        assert!(lines[1]["metrics"].as_array().unwrap().contains(row), "{row}");
    }
    assert!(metric(&lines[1], "network_latency_max_s", Value::Null) >= 1e-5);
    let read = |name: &str| std::fs::read_to_string(folder.join("out").join(name)).unwrap();
    assert_eq!(read("messages-w.csv").lines().count(), 1 + 16 * 15);
    assert_eq!(read("links-w.csv").lines().count(), 1 + 2 * 16 + 4 * 16);
    let series = read("series-w.csv");
    assert!(series.contains("link_throughput_bytes_per_s,") && series.contains("link_share,"));
    assert!(!series.contains("buffer") && !series.contains("congestion"), "there are none");
    assert!(serde_json::from_str::<Value>(&read("history-w.json")).is_ok());
}

/// Points with lists are computed in the process of the run, programs in one of their own.
#[test]
fn lists_and_programs_stand_in_one_shard_and_a_crash_ends_its_point_alone() {
    let topology = json!({"kind": "crossbar", "nodes": 4});
    let mut list = point("list", topology.clone(), 0, &[]);
    list["workload"] = json!({"kind": "messages", "pattern": "all_to_all", "per_node": 1,
                              "outstanding": "all", "message_bytes": [1000]});
    let mut crash = point("crash", topology.clone(), 2, &[]);
    let source = format!("{}/../ranks/tests/programs/", env!("CARGO_MANIFEST_DIR"));
    crash["workload"]["source"] = json!(format!("{source}misbehaves.c"));
    crash["workload"]["arguments"] = json!(["crash"]);
    let good = point("barrier", topology, 4, &[]);
    let points = [crash, list, good];
    let (one, two) = (run(&folder("mixed1"), &points, "1"), run(&folder("mixed2"), &points, "2"));
    for lines in [&one, &two] {
        assert_eq!(lines[0]["status"], "done", "{}", lines[0]);
        assert!(lines[1]["error"].as_str().unwrap().starts_with("rank "), "{}", lines[1]);
        assert!(metric(&lines[2], "makespan_s", json!(1000)) > 0.0);
    }
    for place in [0, 2] {
        assert_eq!(one[place]["metrics"], two[place]["metrics"]);
    }
}

#[test]
fn a_table_of_programs_is_refused_for_lists() {
    let mut list = point("list", json!({"kind": "crossbar", "nodes": 4}), 0, &[]);
    list["workload"] = json!({"kind": "messages", "pattern": "all_to_all", "message_bytes": [8]});
    list["options"]["tables"] = json!(["history"]);
    let lines = run(&folder("refused"), &[list], "1");
    assert_eq!(lines[0]["error"], "table history is for the workload kind program");
}

/// SMPI shares links by max-min fairness, too, those of nodes included, and begins a message when both ranks have called. So does a
/// rendezvous, but for the time of its two control messages. An eager message begins with its send: ranks
/// that have run ahead then share links with those behind.
#[test]
fn exchanges_by_rendezvous_take_as_long_as_in_smpi() {
    let recorded = include_str!("../../../rdma/tests/data/smpi/alltoall_torus.csv");
    let rows = recorded.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    let wanted = |row: &Vec<&str>| row[2] == "256" && row[4] == "65536" && row[12] == "pure";
    let (mut points, mut expected_s) = (vec![], vec![]);
    for row in rows.filter(wanted) {
        let program = if row[3] == "xor" { "alltoall_pairwise" } else { "alltoall_ring" };
        let torus = json!({"kind": "torus", "ties": "plus", "sizes": [8, 8, 4]});
        let mut asked = point(program, torus, 256, &["65552"]);
        asked["network"]["hop_latency_s"] = json!(100e-9);
        asked["network"]["nic"] = json!({"service": "round_robin"});
        asked["options"]["model"] = json!("max_min");
        for eager_bytes in [0, 1 << 20] {
            asked["point_id"] = json!(format!("{} {eager_bytes:07}", row[3]));
            asked["options"]["eager_limit_bytes"] = json!(eager_bytes);
            points.push(asked.clone());
            expected_s.push((asked["point_id"].to_string(), row[8].parse::<f64>().unwrap()));
        }
    }
    expected_s.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(expected_s.len(), 4);
    for (line, (name, expected_s)) in run(&folder("smpi"), &points, "1").iter().zip(expected_s) {
        let ratio = metric(line, "program_time_s", Value::Null) / expected_s;
        let allowed = if name.ends_with("0000000\"") { 0.99..1.03 } else { 1.3..1.7 };
        assert!(allowed.contains(&ratio), "{name}: {ratio}");
    }
}
