//! Programs that act on the head of a message.

use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// A program with these arguments on the paper's cube; its metrics.
fn metrics(
    name: &str,
    program: &str,
    ranks: u32,
    arguments: &[&str],
    options: &[(&str, Value)],
) -> Value {
    let folder = std::env::temp_dir().join(format!("weft-anet-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let source = format!("{}/../../programs/{program}.c", env!("CARGO_MANIFEST_DIR"));
    let mut all = crate::common::options();
    for (key, value) in [
        ("payload", json!("delivered")),
        ("eager_limit_bytes", json!(16384)),
        ("zero_copy_limit_bytes", Value::Null),
        ("rank_to_node", json!("linear")),
        ("ranks_per_node", json!(1)),
        ("rank_file", Value::Null),
        ("stack_bytes", json!(65536)),
        ("loop_limit_s", json!(30.0)),
        ("tables", json!([])),
        ("series_interval_s", json!(1e-6)),
    ] {
        all[key] = value;
    }
    for (key, value) in options {
        all[*key] = value.clone();
    }
    let point = json!({
        "point_id": name, "digest": "d", "engine": "anet", "seed": 1,
        "topology": crate::common::cube(), "network": {"bandwidth_bytes_per_s": 15e6},
        "workload": {"kind": "program", "program": program, "source": source, "ranks": ranks,
                     "message_bytes": null, "arguments": arguments},
        "options": all,
    });
    let shard = folder.join("in.json");
    let text = json!({"schema": 1, "engine": "anet", "engine_version": "0", "shard": "s",
                      "points": [point]});
    std::fs::write(&shard, text.to_string()).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_weft-anet"))
        .env("WEFT_PROGRAM_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs"))
        .args(["run", "--shard"])
        .arg(&shard)
        .arg("--out")
        .arg(folder.join("out"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let journal = std::fs::read_to_string(folder.join("out/journal.jsonl")).unwrap();
    let line: Value = serde_json::from_str(journal.lines().next().unwrap()).unwrap();
    assert_eq!(line["status"], "done", "{line}");
    line["metrics"].clone()
}

fn value(metrics: &Value, name: &str) -> f64 {
    let all = metrics.as_array().unwrap();
    let found = all.iter().find(|m| m["metric"] == name);
    found.unwrap_or_else(|| panic!("{name} in {metrics}"))["value"].as_f64().unwrap()
}

fn round_trip_s(reading: &str, distance: u32, bytes: u32, duplex: &str) -> f64 {
    let pairs = format!("0-{}", (1 << distance) - 1);
    let name = format!("pp-{reading}-{distance}-{bytes}-{duplex}");
    let bytes = bytes.to_string();
    let arguments = [bytes.as_str(), &pairs, "4.84e-6", reading];
    let all = metrics(&name, "pingpong_pairs", 16, &arguments, &[("duplex", json!(duplex))]);
    value(&all, "round_trip_time_s")
}

/// T_d = 9.96 + 2.1 (D - 1) + 2.1 + 0.067 n, with two clocks of 30 MHz for 0.067 us.
fn formula_s(distance: u32, bytes: u32) -> f64 {
    (2.0 * (3.61 + 1.05 * f64::from(distance - 1)) + 4.84 + f64::from(bytes) / 15.0) * 1e-6
}

/// Either the count stops at the head, or the reply starts at it: one stream is left.
#[test]
fn a_round_trip_has_a_single_stream() {
    for (distance, bytes) in [(1, 35), (1, 125), (1, 250), (4, 35), (4, 250)] {
        let expected = formula_s(distance, bytes);
        for (reading, duplex) in [("count_stops_at_head", "half"), ("reply_at_head", "full")] {
            let found = round_trip_s(reading, distance, bytes, duplex);
            assert!((found - expected).abs() < 2e-12, "{reading} {distance} {bytes}: {found}");
        }
    }
}

/// A reply over the link that still carries the rest of the message must wait for it.
#[test]
fn a_reply_at_the_head_needs_a_link_of_its_own() {
    let alone = formula_s(1, 250);
    assert!(round_trip_s("reply_at_head", 1, 250, "half") > alone + 10e-6);
    // 35 bytes are through before the reply is ready.
    assert!((round_trip_s("reply_at_head", 1, 35, "half") - formula_s(1, 35)).abs() < 2e-12);
    // At distance 2 the reply goes back by two other links.
    assert!((round_trip_s("reply_at_head", 2, 250, "half") - formula_s(2, 250)).abs() < 2e-12);
}
