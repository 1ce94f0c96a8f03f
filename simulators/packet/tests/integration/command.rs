//! The executable: journal, threads and exit codes.

use crate::spec::{folder, mesh, point, traffic};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Output};

const BINARY: &str = env!("CARGO_BIN_EXE_weft-packet");

fn run(folder: &Path, points: &[Value], threads: &str) -> Output {
    let shard = folder.join("in.json");
    let text = json!({"schema": 1, "engine": "packet", "engine_version": "0", "shard": "s",
                      "points": points});
    std::fs::write(&shard, text.to_string()).unwrap();
    let mut command = Command::new(BINARY);
    command.arg("run").arg("--shard").arg(shard).arg("--out").arg(folder.join("out"));
    command.args(["--threads", threads]).output().unwrap()
}

fn journal(folder: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("out/journal.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn describe_names_what_the_engine_supports() {
    let output = Command::new(BINARY).arg("describe").output().unwrap();
    let text: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(text["name"], "packet");
    for key in ["version", "answers", "virtual_channels", "side_tables", "metrics", "options"] {
        assert!(!text[key].is_null(), "{key}");
    }
}

#[test]
fn describe_names_every_metric_of_an_answer() {
    let output = Command::new(BINARY).arg("describe").output().unwrap();
    let text: Value = serde_json::from_slice(&output.stdout).unwrap();
    let declared = text["metrics"].as_array().unwrap();
    let folder = folder("named");
    let list = json!({"kind": "messages", "pattern": "uniform", "message_bytes": [64]});
    let mut search = traffic(0.1);
    search["search"] = json!("saturation");
    let kinds = ["traffic", "messages", "saturation"];
    let mut points = [traffic(0.1), list, search].map(|workload| point(mesh(2), workload));
    for (asked, kind) in points.iter_mut().zip(kinds) {
        asked["point_id"] = json!(kind);
    }
    assert!(run(&folder, &points, "1").status.success());
    for line in journal(&folder) {
        assert_eq!(line["status"], "done", "{line}");
        let found = line["metrics"].as_array().unwrap();
        let mut given: Vec<_> = found.iter().map(|m| (&m["metric"], &m["unit"])).collect();
        let of = |entry: &&Value| entry["of"].as_array().unwrap().contains(&line["point_id"]);
        let named = declared.iter().filter(of).map(|m| (&m["name"], &m["unit"]));
        let mut named: Vec<_> = named.collect();
        let order = |a: &(&Value, &Value), b: &(&Value, &Value)| a.0.as_str().cmp(&b.0.as_str());
        given.sort_by(order);
        named.sort_by(order);
        assert_eq!(given, named, "{}", line["point_id"]);
    }
}

#[test]
fn a_point_whose_seed_cuts_the_network_is_skipped() {
    let mut cut = point(mesh(2), traffic(0.1));
    cut["topology"]["routing"] = json!("adaptive");
    cut["topology"]["failed"] = json!({"links": 2});
    let folder = folder("cut");
    assert!(run(&folder, &[cut], "1").status.success());
    let lines = journal(&folder);
    assert_eq!(lines[0]["status"], "skipped");
    let reason = lines[0]["error"].as_str().unwrap();
    let words = "the failures that its seed draws cut the network: no path leads from node ";
    assert!(reason.starts_with(words), "{reason}");
}

#[test]
fn a_point_has_the_same_metrics_with_any_number_of_threads() {
    let points: Vec<Value> = (0..8)
        .map(|i| {
            let mut point = point(mesh(4), traffic(0.1 + 0.1 * f64::from(i)));
            point["point_id"] = json!(format!("p{i}"));
            point["seed"] = json!(i / 2);
            point["options"]["measure_cycles"] = json!(1000);
            point
        })
        .collect();
    let metrics = |threads: &str| {
        let folder = folder(&format!("threads{threads}"));
        assert!(run(&folder, &points, threads).status.success());
        let mut lines = journal(&folder);
        lines.sort_by_key(|line| line["point_id"].to_string());
        lines.into_iter().map(|line| line["metrics"].to_string()).collect::<Vec<_>>()
    };
    let alone = metrics("1");
    assert_eq!(alone, metrics("2"));
    assert_eq!(alone, metrics("4"));
}

#[test]
fn every_message_size_has_its_metrics() {
    let folder = folder("axis");
    let mut workload = traffic(0.1);
    workload["message_bytes"] = json!([16, 64]);
    assert!(run(&folder, &[point(mesh(4), workload)], "1").status.success());
    let lines = journal(&folder);
    let mean = |bytes: u64| {
        let metrics = lines[0]["metrics"].as_array().unwrap();
        let found = metrics.iter().find(|m| {
            m["metric"] == "packet_latency_mean_cycles" && m["message_bytes"] == json!(bytes)
        });
        found.unwrap()["value"].as_f64().unwrap()
    };
    assert!(mean(64) > mean(16) + 3.0);
}

#[test]
fn a_wrong_point_is_a_failed_line_and_the_process_succeeds() {
    let folder = folder("invalid");
    let torus = json!({"kind": "torus", "ties": "plus", "sizes": [4, 4], "nodes": 16});
    let mut one_channel = point(torus, traffic(0.1));
    one_channel["options"]["virtual_channels"] = json!(1);
    assert!(run(&folder, &[one_channel], "1").status.success());
    let line = &journal(&folder)[0];
    assert_eq!(line["status"], "failed");
    assert!(line["error"].as_str().unwrap().contains("virtual_channels is 1"), "{line}");
}

#[test]
fn misuse_exits_with_2() {
    let code = |words: &[&str]| Command::new(BINARY).args(words).output().unwrap().status.code();
    assert_eq!(code(&[]), Some(2));
    assert_eq!(code(&["run", "--shard"]), Some(2));
}
