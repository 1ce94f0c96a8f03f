//! The executable: journal, sizes, tables, threads and exit codes.

use crate::shard::{BINARY, command, folder, journal, point, run};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

fn metric(line: &Value, name: &str, message_bytes: Value) -> f64 {
    let metrics = line["metrics"].as_array().unwrap_or_else(|| panic!("{line}"));
    let found = metrics
        .iter()
        .find(|m| m["metric"] == name && m["message_bytes"] == message_bytes)
        .unwrap_or_else(|| panic!("{name} in {line}"));
    found["value"].as_f64().unwrap()
}

fn pingpong(sizes: &[u64]) -> Value {
    let mut point = point("pingpong", 2);
    point["workload"]["message_bytes"] = json!(sizes);
    point
}

#[test]
fn every_message_size_is_a_simulation_of_its_own() {
    let folder = folder("sizes");
    let output = run(&folder, &[pingpong(&[0, 8000])], "1");
    assert!(output.status.success(), "{output:?}");
    let line = &journal(&folder)[0];
    // Hockney: 1 us and 8000 B at 1 GB/s; a message without bytes has a flit of 16 B.
    for (bytes, expected_s) in [(0, 1.016e-6), (8000, 9e-6)] {
        let time_s = metric(line, "one_way_time_s", json!(bytes));
        assert!((time_s / expected_s - 1.0).abs() < 2e-3, "{bytes} B: {time_s}");
        assert_eq!(metric(line, "messages", json!(bytes)), 2.0);
    }
    assert!(line["cpu_s"].as_f64().unwrap() > 0.0);
    assert!(line["peak_rss_bytes"].as_u64().unwrap() > 1 << 20);
}

#[test]
fn tables_are_written_and_change_no_metric() {
    let folder = folder("tables");
    let mut watched = pingpong(&[8000]);
    watched["point_id"] = json!("w");
    watched["options"]["tables"] = json!(["series", "links", "messages", "congestion", "history"]);
    watched["options"]["congestion_ports"] = json!(3);
    assert!(run(&folder, &[pingpong(&[8000]), watched], "1").status.success());
    let lines = journal(&folder);
    let time = |line| metric(line, "program_time_s", json!(8000));
    assert_eq!(time(&lines[0]), time(&lines[1]));
    let read = |name: &str| std::fs::read_to_string(folder.join("out").join(name)).unwrap();
    assert_eq!(read("messages-w.csv").lines().count(), 1 + 2);
    assert!(read("links-w.csv").lines().count() > 4);
    assert!(read("series-w.csv").contains("network_latency_s,"));
    assert!(read("congestion-w.csv").starts_with("router,port,"));
    assert!(serde_json::from_str::<Value>(&read("history-w.json")).is_ok());
}

#[test]
fn a_program_whose_seed_cuts_the_network_is_skipped() {
    let mut cut = pingpong(&[8]);
    cut["topology"] = json!({"kind": "mesh", "sizes": [2, 2], "routing": "shortest",
                             "failed": {"links": 2}});
    let folder = folder("cut");
    assert!(run(&folder, &[cut], "1").status.success());
    let lines = journal(&folder);
    assert_eq!(lines[0]["status"], "skipped");
    let reason = lines[0]["error"].as_str().unwrap();
    let words = "the failures that its seed draws cut the network: no path leads from node ";
    assert!(reason.starts_with(words), "{reason}");
}

#[test]
fn tables_of_several_sizes_are_refused() {
    let folder = folder("two-sizes");
    let mut watched = pingpong(&[8, 16]);
    watched["options"]["tables"] = json!(["links"]);
    run(&folder, &[watched], "1");
    assert_eq!(journal(&folder)[0]["error"], "table links needs exactly one message size");
}

#[test]
fn a_point_has_the_same_metrics_with_any_number_of_threads() {
    let points: Vec<Value> = (0..6)
        .map(|i| {
            let mut point = pingpong(&[64 << i, 100_000]);
            point["point_id"] = json!(format!("p{i}"));
            point["seed"] = json!(i);
            point["options"]["rank_to_node"] = json!("random");
            point
        })
        .collect();
    let metrics = |threads: &str| {
        let folder = folder(&format!("threads{threads}"));
        assert!(run(&folder, &points, threads).status.success());
        let mut lines = journal(&folder);
        lines.sort_by_key(|line| line["point_id"].to_string());
        assert!(lines.iter().all(|line| line["status"] == "done"), "{lines:?}");
        lines.into_iter().map(|line| line["metrics"].to_string()).collect::<Vec<_>>()
    };
    let alone = metrics("1");
    assert_eq!(alone, metrics("2"));
    assert_eq!(alone, metrics("4"));
}

#[test]
fn points_in_the_journal_are_not_computed_again() {
    let folder = folder("again");
    for _ in 0..2 {
        assert!(run(&folder, &[pingpong(&[64])], "1").status.success());
    }
    assert_eq!(journal(&folder).len(), 1);
}

#[test]
fn a_changed_program_is_reported() {
    let folder = folder("changed");
    let mut changed = pingpong(&[64]);
    changed["workload"]["source_sha256"] = json!("0".repeat(64));
    run(&folder, &[changed], "1");
    let line = &journal(&folder)[0];
    assert!(line["error"].as_str().unwrap().contains("pingpong.c has changed since"), "{line}");
}

#[test]
fn a_program_is_compiled_once_for_all_points_and_again_by_another_compiler() {
    let folder = folder("compilers");
    let (compiler, calls) = (folder.join("compiler"), folder.join("calls"));
    let mut second = pingpong(&[64]);
    second["point_id"] = json!("second");
    let points = [pingpong(&[64]), second];
    let compiled = |comment: &str| {
        let calls = calls.display();
        let script = format!("#!/bin/sh\n# {comment}\necho >> {calls}\nexec cc \"$@\"\n");
        std::fs::write(&compiler, script).unwrap();
        std::fs::set_permissions(&compiler, PermissionsExt::from_mode(0o755)).unwrap();
        let _ = std::fs::remove_dir_all(folder.join("out"));
        let mut run = command(&folder, &points, "1");
        let run = run.env("WEFT_CC", &compiler).env("WEFT_PROGRAM_CACHE", folder.join("programs"));
        // The compiler writes where it counts its calls.
        run.env("WEFT_CONFINEMENT", "off");
        assert!(run.output().unwrap().status.success());
        std::fs::read_to_string(folder.join("calls")).unwrap().lines().count()
    };
    assert_eq!(compiled("one"), 1);
    assert_eq!(compiled("one more"), 2);
}

#[test]
fn describe_names_every_metric_of_an_answer_but_those_of_the_program() {
    let output = Command::new(BINARY).arg("describe").output().unwrap();
    let text: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(text["name"], "rdma");
    let named: Vec<(&str, &str)> = text["metrics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|metric| (metric["name"].as_str().unwrap(), metric["unit"].as_str().unwrap()))
        .collect();
    let folder = folder("names");
    run(&folder, &[pingpong(&[64])], "1");
    for metric in journal(&folder)[0]["metrics"].as_array().unwrap() {
        let found = (metric["metric"].as_str().unwrap(), metric["unit"].as_str().unwrap());
        assert!(named.contains(&found) || found.0 == "one_way_time_s", "{metric}");
    }
}

#[test]
fn misuse_exits_with_2() {
    let code = |words: &[&str]| Command::new(BINARY).args(words).output().unwrap().status.code();
    assert_eq!(code(&[]), Some(2));
    assert_eq!(code(&["simulate"]), Some(2));
}
