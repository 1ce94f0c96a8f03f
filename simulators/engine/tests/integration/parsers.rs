//! Whatever a shard or a journal holds, it is read, or refused with the name of its file.

use engine::{EngineError, Journal, Line, Shard, Status};
use proptest::prelude::*;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder of its own for each case.
fn folder() -> PathBuf {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("weft-parsers-{}-{number}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn line(point_id: &str) -> Line {
    Line {
        point_id: point_id.into(),
        digest: "d".into(),
        status: Status::Done,
        error: None,
        started_at: "2000-01-01T00:00:00.000Z".into(),
        wall_s: 0.5,
        cpu_s: 0.25,
        peak_rss_bytes: 4096,
        metrics: vec![],
        environment: None,
    }
}

/// The text of a journal's line.
fn text(point_id: &str) -> String {
    let folder = folder();
    Journal::open(&folder).unwrap().append(&line(point_id)).unwrap();
    let text = fs::read_to_string(folder.join("journal.jsonl")).unwrap();
    let _ = fs::remove_dir_all(folder);
    text
}

/// A part of a journal: the line of a point, or bytes that are no line.
#[derive(Debug, Clone)]
enum Part {
    Line(String),
    Other(Vec<u8>),
}

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![
        3 => "[a-f0-9]{12}".prop_map(Part::Line),
        1 => prop::collection::vec(any::<u8>(), 0..40).prop_map(|mut bytes| {
            bytes.retain(|&byte| byte != b'\n');
            bytes.push(b'\n');
            Part::Other(bytes)
        }),
        1 => ("[a-f0-9]{12}", 1_usize..9).prop_map(|(id, place)| {
            // A line in which one byte is another.
            let mut bytes = text(&id).into_bytes();
            let place = bytes.len() - 1 - place * 17;
            bytes[place] = if bytes[place] == b'#' { b'%' } else { b'#' };
            Part::Other(bytes)
        }),
    ]
}

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    /// Whatever lies between them, whole lines count, and further ones can be appended.
    #[test]
    fn a_journal_holds_its_whole_lines(
        parts in prop::collection::vec(part(), 0..8), torn in "[a-f0-9]{12}", left in 0_usize..150
    ) {
        let folder = folder();
        let mut bytes = vec![];
        for part in &parts {
            match part {
                Part::Line(id) => bytes.extend(text(id).into_bytes()),
                Part::Other(other) => bytes.extend(other),
            }
        }
        bytes.extend(text(&torn).as_bytes().iter().take(left));
        fs::write(folder.join("journal.jsonl"), bytes).unwrap();
        Journal::open(&folder).unwrap().append(&line("last")).unwrap();
        let journal = Journal::open(&folder).unwrap();
        prop_assert!(journal.holds("last", "d") && !journal.holds(&torn, "d"));
        for part in &parts {
            if let Part::Line(id) = part {
                prop_assert!(journal.holds(id, "d") && !journal.holds(id, "e"));
            }
        }
        let _ = fs::remove_dir_all(folder);
    }

    #[test]
    fn any_shard_is_read_or_refused_with_its_file(
        start in 0_usize..200, length in 0_usize..30, put in "[\\[\\]{}\",:0-9a-z.+-]{0,8}|\\PC{0,8}"
    ) {
        let whole = r#"{"schema": 1, "engine": "test", "engine_version": "0", "shard": "s",
            "limits": {"timeout_s": 2.5, "output_bytes": 64},
            "points": [{"point_id": "p", "digest": "d", "seed": 1, "options": {"a": [1, 2]}}]}"#;
        let start = start.min(whole.len());
        let end = (start + length).min(whole.len());
        let folder = folder();
        let path = folder.join("in.json");
        fs::write(&path, format!("{}{put}{}", &whole[..start], &whole[end..])).unwrap();
        match Shard::read(&path, "test") {
            Ok(shard) => {
                prop_assert_eq!((shard.schema, shard.engine.as_str()), (1, "test"));
                // Limits that are no numbers of seconds end nothing.
                shard.points.iter().for_each(|point| _ = point.limits.timeout());
            }
            Err(error) => {
                prop_assert!(error.to_string().starts_with(&path.display().to_string()));
                prop_assert!(matches!(error, EngineError::Shard { .. }), "{}", error);
            }
        }
        let _ = fs::remove_dir_all(folder);
    }
}
