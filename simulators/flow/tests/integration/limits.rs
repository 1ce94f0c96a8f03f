//! Points that take more than they may are given up, and the others go on.

use crate::shards::*;
use serde_json::{Value, json};
use std::path::Path;

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
            assert!(
                error.as_ref().unwrap().starts_with("the point reached its limit of 0.3 s"),
                "{found:?}"
            );
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
