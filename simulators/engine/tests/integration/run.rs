//! Shards in, journals out.

use engine::{Answer, Arguments, EngineError, Line, Metric, Point, Status, Summary, Usage, run};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder of its own for each test.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("weft-engine-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// A shard of points `p0, p1, …` whose spec holds their number.
fn arguments(folder: &Path, points: usize, digest: &str, threads: usize) -> Arguments {
    let points: Vec<_> = (0..points)
        .map(|i| serde_json::json!({"point_id": format!("p{i}"), "digest": digest, "number": i}))
        .collect();
    let shard = serde_json::json!({"schema": 1, "engine": "test", "shard": "s", "points": points});
    let path = folder.join("in.json");
    std::fs::write(&path, shard.to_string()).unwrap();
    Arguments { shard: path, out: folder.join("out"), threads, in_process: |_| false }
}

fn number(point: &Point) -> f64 {
    point.spec["number"].as_f64().unwrap()
}

fn square(point: &Point, _: &Path) -> Result<Vec<Metric>, String> {
    let value = number(point).powi(2);
    Ok(vec![Metric { metric: "square".into(), message_bytes: None, value, unit: "1".into() }])
}

fn journal(arguments: &Arguments) -> Vec<Line> {
    let text = std::fs::read_to_string(arguments.out.join("journal.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_point_gets_one_line() {
    let arguments = arguments(&folder("lines"), 5, "d", 1);
    let summary = run("test", &arguments, square).unwrap();
    assert_eq!(summary, Summary { done: 5, ..Summary::default() });
    let lines = journal(&arguments);
    assert_eq!(lines.len(), 5);
    assert!(lines.iter().all(|line| line.status == Status::Done && line.peak_rss_bytes > 0));
}

#[test]
fn a_process_that_computed_the_point_is_charged_for_it() {
    let arguments = arguments(&folder("elsewhere"), 1, "d", 1);
    let used = Usage { cpu_s: 1000.0, peak_rss_bytes: 12_345 };
    let child =
        |point: &Point, out: &Path| Answer { elsewhere: Some(used), ..square(point, out).into() };
    run("test", &arguments, child).unwrap();
    let line = &journal(&arguments)[0];
    assert!((1000.0..1001.0).contains(&line.cpu_s), "{}", line.cpu_s);
    assert_eq!(line.peak_rss_bytes, 12_345);
}

#[test]
fn points_in_the_journal_are_not_computed_again() {
    let arguments = arguments(&folder("skip"), 4, "d", 1);
    run("test", &arguments, square).unwrap();
    let calls = AtomicUsize::new(0);
    let counting = |point: &Point, out: &Path| {
        calls.fetch_add(1, Ordering::Relaxed);
        square(point, out)
    };
    assert_eq!(run("test", &arguments, counting).unwrap().computed_before, 4);
    assert_eq!(calls.into_inner(), 0);
}

#[test]
fn points_with_another_digest_are_computed_again() {
    let folder = folder("digest");
    run("test", &arguments(&folder, 3, "old", 1), square).unwrap();
    let again = arguments(&folder, 3, "new", 1);
    assert_eq!(run("test", &again, square).unwrap().done, 3);
    assert_eq!(journal(&again).len(), 6);
}

#[test]
fn a_torn_last_line_is_dropped_and_its_point_computed_again() {
    let arguments = arguments(&folder("torn"), 3, "d", 1);
    run("test", &arguments, square).unwrap();
    let path = arguments.out.join("journal.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, &text[..text.len() - 20]).unwrap();
    let summary = run("test", &arguments, square).unwrap();
    assert_eq!((summary.done, summary.computed_before), (1, 2));
    assert_eq!(journal(&arguments).len(), 3);
}

#[test]
fn a_line_in_which_a_bit_has_changed_does_not_count() {
    let arguments = arguments(&folder("bits"), 2, "d", 1);
    run("test", &arguments, square).unwrap();
    let path = arguments.out.join("journal.jsonl");
    let whole = std::fs::read(&path).unwrap();
    let first = whole.iter().position(|&byte| byte == b'\n').unwrap();
    for place in (0..first * 8).step_by(61) {
        let mut bytes = whole.clone();
        bytes[place / 8] ^= 1 << (place % 8);
        std::fs::write(&path, &bytes).unwrap();
        let summary = run("test", &arguments, square).unwrap();
        assert!(summary.done > 0, "bit {place} went unseen");
    }
}

#[test]
fn a_failing_or_panicking_point_becomes_a_failed_line() {
    let arguments = arguments(&folder("failed"), 3, "d", 2);
    let fragile = |point: &Point, out: &Path| match number(point) as u32 {
        0 => Err("no such pattern".to_string()),
        1 => panic!("index out of range"),
        _ => square(point, out),
    };
    let summary = run("test", &arguments, fragile).unwrap();
    assert_eq!((summary.done, summary.failed), (1, 2));
    let errors: BTreeMap<String, Option<String>> =
        journal(&arguments).into_iter().map(|line| (line.point_id, line.error)).collect();
    assert_eq!(errors["p0"].as_deref(), Some("no such pattern"));
    assert_eq!(errors["p1"].as_deref(), Some("the engine panicked: index out of range"));
    assert_eq!(errors["p2"], None);
}

#[test]
fn a_point_with_nothing_to_compute_becomes_a_skipped_line() {
    let arguments = arguments(&folder("nothing"), 3, "d", 1);
    let answer = |point: &Point, out: &Path| match number(point) as u32 {
        1 => Answer::skipped("no path leads there".into()),
        _ => square(point, out).into(),
    };
    let summary = run("test", &arguments, answer).unwrap();
    assert_eq!(summary, Summary { done: 2, skipped: 1, ..Summary::default() });
    let line = &journal(&arguments)[1];
    assert_eq!(
        (line.status, line.error.as_deref()),
        (Status::Skipped, Some("no path leads there"))
    );
    // A later run does not try again.
    let again = run("test", &arguments, answer).unwrap();
    assert_eq!(again, Summary { computed_before: 3, ..Summary::default() });
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let values = |threads| {
        let arguments = arguments(&folder(&format!("threads{threads}")), 50, "d", threads);
        run("test", &arguments, square).unwrap();
        let lines = journal(&arguments).into_iter();
        lines.map(|line| (line.point_id, line.metrics[0].value)).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(values(1), values(4));
}

#[test]
fn two_runs_never_share_an_output_folder() {
    let arguments = arguments(&folder("lock"), 1, "d", 1);
    let outer = |point: &Point, out: &Path| {
        let second = run("test", &arguments, square);
        assert!(matches!(second, Err(EngineError::Locked(_))));
        square(point, out)
    };
    assert_eq!(run("test", &arguments, outer).unwrap().done, 1);
}

#[test]
fn a_shard_of_another_engine_or_schema_is_refused() {
    let folder = folder("refused");
    let arguments = arguments(&folder, 1, "d", 1);
    assert!(matches!(run("other", &arguments, square), Err(EngineError::Shard { .. })));
    std::fs::write(&arguments.shard, "{\"schema\": 2, \"engine\": \"test\", \"points\": []}")
        .unwrap();
    assert!(matches!(run("test", &arguments, square), Err(EngineError::Shard { .. })));
    std::fs::write(&arguments.shard, "{").unwrap();
    assert!(matches!(run("test", &arguments, square), Err(EngineError::Shard { .. })));
}
