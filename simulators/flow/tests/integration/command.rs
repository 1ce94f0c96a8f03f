//! The executable: arguments, journal, tables and exit codes.

use crate::shards::*;
use serde_json::{Value, json};
use std::process::Command;

fn metric(line: &Value, name: &str, message_bytes: Value) -> f64 {
    let metrics = line["metrics"].as_array().unwrap();
    let found = metrics
        .iter()
        .find(|m| m["metric"] == name && m["message_bytes"] == message_bytes)
        .unwrap_or_else(|| panic!("{name} in {line}"));
    found["value"].as_f64().unwrap()
}

#[test]
fn describe_names_what_the_engine_supports() {
    let output = Command::new(BINARY).arg("describe").output().unwrap();
    let text: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(text["name"], "flow");
    for key in ["version", "answers", "supports", "side_tables", "metrics", "options"] {
        assert!(!text[key].is_null(), "{key}");
    }
}

#[test]
fn every_message_size_of_the_axis_has_its_metrics() {
    let folder = folder("axis");
    assert!(run(&folder, &[point("a", mesh(), uniform(&[0, 1000, 2000]))], "1").status.success());
    let lines = journal(&folder);
    let (small, large) = (
        metric(&lines[0], "makespan_s", json!(1000)),
        metric(&lines[0], "makespan_s", json!(2000)),
    );
    assert!(large > small && small > metric(&lines[0], "makespan_s", json!(0)));
    assert!(metric(&lines[0], "link_utilisation_max", json!(2000)) <= 1.0);
}

#[test]
fn tables_have_one_row_per_message_and_link() {
    let folder = folder("tables");
    let mut wanted = point("a", mesh(), uniform(&[100]));
    wanted["options"]["tables"] = json!(["messages", "links"]);
    assert!(run(&folder, &[wanted], "1").status.success());
    let read = |name: &str| std::fs::read_to_string(folder.join("out").join(name)).unwrap();
    let messages = read("messages-a.csv");
    assert_eq!(messages.lines().next(), Some("message_id,src,dst,bytes,start_s,finish_s"));
    assert_eq!(messages.lines().count(), 1 + 27);
    let links = read("links-a.csv");
    assert_eq!(links.lines().next(), Some("link,class,source,target,bytes,busy_s,utilisation"));
    assert_eq!(links.lines().count(), 1 + 9 + 9 + 24);
}

#[test]
fn a_point_whose_seed_cuts_the_network_is_skipped() {
    let mut cut = point("a", mesh(), uniform(&[100]));
    cut["topology"]["routing"] = json!("ecmp");
    // Of twelve links seven are left, and nine routers need eight.
    cut["topology"]["failed"] = json!({"links": 5});
    let mut too_many = cut.clone();
    too_many["point_id"] = json!("b");
    too_many["topology"]["failed"] = json!({"links": 13});
    let mut named = cut.clone();
    named["point_id"] = json!("c");
    named["topology"]["failed"] = json!({"links": ["x+/0", "y+/0"]});
    let folder = folder("cut");
    assert!(run(&folder, &[cut, too_many, named], "1").status.success());
    let lines = journal(&folder);
    assert_eq!(lines[0]["status"], "skipped");
    let reason = lines[0]["error"].as_str().unwrap();
    let words = "the failures that its seed draws cut the network: no path leads from node ";
    assert!(reason.starts_with(words), "{reason}");
    // What no seed can mend is a failure.
    assert_eq!(lines[1]["status"], "failed");
    assert_eq!(lines[2]["status"], "failed");
    assert!(
        lines[2]["error"]
            .as_str()
            .unwrap()
            .starts_with("the graph of a mesh: no path leads from node ")
    );
}

/// On a line of three nodes no link has more than three pairs.
#[test]
fn flows_of_a_link_add_up_to_its_bytes() {
    let folder = folder("flows");
    let line = json!({"kind": "mesh", "sizes": [3], "k": 3, "dimensions": 1, "nodes": 3});
    let mut wanted = point("a", line, uniform(&[100]));
    wanted["workload"]["per_node"] = json!(20);
    wanted["options"]["tables"] = json!(["links"]);
    assert!(run(&folder, &[wanted], "1").status.success());
    let rows = |name: &str| -> Vec<Vec<String>> {
        let text = std::fs::read_to_string(folder.join("out").join(name)).unwrap();
        text.lines().skip(1).map(|row| row.split(',').map(String::from).collect()).collect()
    };
    let flows = rows("link_flows-a.csv");
    for link in rows("links-a.csv") {
        let own: Vec<_> = flows.iter().filter(|flow| flow[0] == link[0]).collect();
        let sum: f64 = own.iter().map(|flow| flow[3].parse::<f64>().unwrap()).sum();
        assert_eq!(sum, link[4].parse::<f64>().unwrap(), "{link:?}: {own:?}");
        assert!(
            own.windows(2).all(|two| {
                two[0][3].parse::<f64>().unwrap() >= two[1][3].parse::<f64>().unwrap()
            })
        );
    }
    let over_all: Vec<_> = flows.iter().filter(|f| f[1] == "node 0" && f[2] == "node 2").collect();
    assert_eq!(over_all.len(), 4);
}

#[test]
fn messages_of_a_file_keep_its_numbers() {
    let folder = folder("numbers");
    let file = folder.join("list.csv");
    std::fs::write(&file, "src,dst,bytes\n2,0,5\n0,1,7\n2,3,6\n").unwrap();
    let list = json!({"kind": "messages", "pattern": "file", "file": file, "outstanding": "all",
                      "message_bytes": []});
    let mut wanted = point("a", mesh(), list);
    wanted["options"]["tables"] = json!(["messages"]);
    assert!(run(&folder, &[wanted], "1").status.success());
    let text = std::fs::read_to_string(folder.join("out/messages-a.csv")).unwrap();
    let named =
        text.lines().skip(1).map(|row| row.split(',').take(4).collect::<Vec<_>>().join(","));
    assert_eq!(named.collect::<Vec<_>>(), ["1,0,1,7", "0,2,0,5", "2,2,3,6"]);
}

#[test]
fn a_point_has_the_same_metrics_with_any_number_of_threads() {
    let points: Vec<Value> = (0..12)
        .map(|i| {
            let mut point = point(&format!("p{i:02}"), mesh(), uniform(&[100]));
            point["seed"] = json!(i);
            point["options"]["model"] = json!(if i % 2 == 0 { "max_min" } else { "equal_share" });
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
    assert_eq!(metrics("1"), metrics("4"));
}

#[test]
fn bursts_and_searches_are_refused_with_who_can_do_them() {
    let folder = folder("bursts");
    let traffic = |key: &str, value: Value| {
        let mut workload = json!({"kind": "traffic", "pattern": "uniform", "injection_rate": 0.5,
                                  "per_node": 3, "message_bytes": [8], "burst_messages": 4});
        workload[key] = value;
        point(key, mesh(), workload)
    };
    let mut search = traffic("search", json!("saturation"));
    search["workload"]["burst_messages"] = Value::Null;
    let points = [traffic("injection_process", json!("on_off")), search];
    assert!(run(&folder, &points, "1").status.success());
    for line in journal(&folder) {
        assert_eq!(line["status"], "failed");
        assert!(line["error"].as_str().unwrap().ends_with("are for packet"), "{line}");
    }
}

#[test]
fn invalid_points_fail_with_a_reason_and_the_process_succeeds() {
    let folder = folder("invalid");
    let file = folder.join("list.csv");
    std::fs::write(&file, "src,dst,bytes\n0,1,8\n0,99,8\n").unwrap();
    let odd = json!({"kind": "messages", "pattern": "transpose", "message_bytes": [8]});
    let unknown = json!({"kind": "messages", "pattern": "star", "message_bytes": [8]});
    let list = json!({"kind": "messages", "pattern": "file", "file": file, "message_bytes": []});
    let tree = json!({"kind": "fat_tree", "k": 1, "levels": 2, "routing": "dmodk", "nodes": 1});
    let points = [
        point("odd", mesh(), odd),
        point("unknown", mesh(), unknown),
        point("list", mesh(), list),
        point("tree", tree, uniform(&[8])),
        point("good", mesh(), uniform(&[8])),
    ];
    assert_eq!(run(&folder, &points, "1").status.code(), Some(0));
    let lines = journal(&folder);
    let error = |i: usize| lines[i]["error"].as_str().unwrap_or("").to_string();
    assert!(error(0).contains("even power of two"), "{}", error(0));
    assert!(error(1).contains("star"), "{}", error(1));
    assert!(error(2).contains("list.csv:3: dst is 99"), "{}", error(2));
    assert!(error(3).contains("k is 1"), "{}", error(3));
    assert_eq!(lines[4]["status"], "done");
}

#[test]
fn a_wrong_command_or_shard_exits_with_2() {
    let folder = folder("misuse");
    let code = |words: &[&str]| Command::new(BINARY).args(words).output().unwrap().status.code();
    assert_eq!(code(&[]), Some(2));
    assert_eq!(code(&["run", "--shard"]), Some(2));
    assert_eq!(code(&["run", "--shard", "a", "--out", "b", "--threads", "0"]), Some(2));
    let shard = folder.join("in.json");
    std::fs::write(&shard, "[]").unwrap();
    let out = folder.join("out");
    let words = ["run", "--shard", shard.to_str().unwrap(), "--out", out.to_str().unwrap()];
    assert_eq!(code(&words), Some(2));
}

#[test]
fn a_missing_shard_file_exits_with_3() {
    let output = Command::new(BINARY)
        .args(["run", "--shard", "/nonexistent/in.json", "--out", "/nonexistent/out"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/nonexistent/in.json"));
}

/// A limit on the file size stands for a full disk: writing fails in the same place.
#[test]
fn a_journal_that_cannot_grow_is_reported_and_exits_with_3() {
    let folder = folder("full");
    let points: Vec<Value> =
        (0..40).map(|i| point(&format!("p{i}"), mesh(), uniform(&[8]))).collect();
    let shard = write_shard(&folder, &points);
    let script = "trap '' XFSZ; ulimit -f 4; exec \"$0\" run --shard \"$1\" --out \"$2\"";
    let output = Command::new("sh")
        .args(["-c", script, BINARY])
        .args([shard, folder.join("out")])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("journal.jsonl: File too large"), "{text}");
    assert!(run(&folder, &points, "2").status.success());
    assert_eq!(journal(&folder).len(), 40);
}

#[test]
fn a_routing_that_decides_on_the_way_fails_with_the_reason() {
    let folder = folder("adaptive");
    let tree = json!({"kind": "fat_tree", "k": 2, "levels": 2, "routing": "nca", "nodes": 4});
    run(&folder, &[point("a", tree, uniform(&[100]))], "1");
    let line = &journal(&folder)[0];
    let expected = "routing nca has no static route; allowed here: dmodk, smodk";
    assert_eq!((&line["status"], &line["error"]), (&json!("failed"), &json!(expected)));
}

#[test]
fn topologies_of_high_radix_are_answered() {
    let folder = folder("radix");
    let kinds = [
        json!({"kind": "fly", "k": 2, "stages": 3, "routing": "destination_tag", "nodes": 8}),
        json!({"kind": "flattened_butterfly", "k": 3, "dimensions": 1, "concentration": 3,
               "routing": "minimal", "nodes": 9}),
        json!({"kind": "dragonfly", "p": 1, "a": 2, "h": 1, "routing": "minimal", "nodes": 6}),
    ];
    let points: Vec<Value> = kinds
        .into_iter()
        .enumerate()
        .map(|(i, kind)| point(&format!("p{i}"), kind, uniform(&[100])))
        .collect();
    assert!(run(&folder, &points, "1").status.success());
    assert!(journal(&folder).iter().all(|line| metric(line, "makespan_s", json!(100)) > 0.0));
}
