//! What a point's process answers. A program shares that process and may write there what it likes, so
//! the answer is bounded and checked.

use engine::{FullDisk, Metric, Point, Usage};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::io::Read;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;
use std::sync::Mutex;

/// Most bytes of an answer.
const MOST_BYTES: usize = 16 << 20;
/// Most metrics of one message size.
const MOST_METRICS: usize = 512;
/// Longest name of a metric.
const LONGEST_NAME: usize = 64;
/// Longest unit, and longest error, in bytes.
const LONGEST_UNIT: usize = 16;
const LONGEST_ERROR: usize = 16 << 10;
/// Most notes, and the longest, in bytes.
const MOST_NOTES: usize = 16;
const LONGEST_NOTE: usize = 1 << 10;

/// What the process writes when it is done, or when its program has brought it down.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Reply {
    pub error: Option<String>,
    pub metrics: Vec<Metric>,
    pub usage: Option<Usage>,
    /// A table of the point met it.
    pub full_disk: Option<FullDisk>,
    /// What the log says of the program, too.
    pub notes: Vec<String>,
}

/// What it writes before it loads the program: how the program is confined.
#[derive(Debug, Serialize, Deserialize)]
pub struct Confined {
    pub confinement: String,
}

/// Lines that come over a pipe.
pub(super) struct Lines<R> {
    pipe: R,
    /// What has come and was not returned.
    rest: Vec<u8>,
    /// Bytes of `rest` in which no line ends.
    searched: usize,
}

impl<R: Read + AsFd> Lines<R> {
    pub fn of(pipe: R) -> Self {
        Self { pipe, rest: vec![], searched: 0 }
    }

    /// The next line, or the rest when the pipe ends; nothing if `wait` finds nothing to read.
    ///
    /// # Errors
    /// When a line is too long.
    pub fn next(&mut self, wait: impl Fn(BorrowedFd) -> bool) -> Result<Option<Vec<u8>>, String> {
        let mut chunk = [0; 4096];
        loop {
            let end = self.rest[self.searched..].iter().position(|&byte| byte == b'\n');
            if let Some(end) = end {
                let line = self.rest.drain(..=self.searched + end).collect();
                self.searched = 0;
                return Ok(Some(line));
            }
            self.searched = self.rest.len();
            if self.searched > MOST_BYTES {
                return Err(format!(
                    "the point's process answers more than {MOST_BYTES} B: its program writes where \
                     only results belong"
                ));
            }
            if !wait(self.pipe.as_fd()) {
                return Ok(None);
            }
            match self.pipe.read(&mut chunk) {
                Ok(0) | Err(_) => return Ok(Some(std::mem::take(&mut self.rest))),
                Ok(count) => self.rest.extend_from_slice(&chunk[..count]),
            }
        }
    }
}

/// Whether the line says how programs are confined. Such a line goes to the log once.
pub(super) fn log_once(line: &[u8]) -> bool {
    static LOGGED: Mutex<Option<String>> = Mutex::new(None);
    let Ok(Confined { confinement }) = serde_json::from_slice(line) else { return false };
    let mut logged = LOGGED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if logged.as_ref() != Some(&confinement) {
        eprintln!("{}", logged.insert(confinement));
    }
    true
}

/// An answer that was checked.
#[derive(Debug)]
pub(super) enum Received {
    Metrics(Vec<Metric>, Option<Usage>, Vec<String>),
    Failed(String, Option<FullDisk>),
    /// It is no answer: the process was ended from outside or by its program.
    Nothing,
}

impl Received {
    /// Reads the answer to a point whose tables are in the folder `out`.
    ///
    /// # Errors
    /// Says what no engine would answer.
    pub fn read(line: &[u8], point: &Point, out: &Path) -> Result<Self, String> {
        let Ok(reply) = serde_json::from_slice::<Reply>(line) else { return Ok(Self::Nothing) };
        if let Some(error) = reply.error {
            let full = reply.full_disk.filter(|full| full.is_in(out));
            return Ok(Self::Failed(readable(&error, LONGEST_ERROR), full));
        }
        check(&reply.metrics, point).map_err(|reason| {
            format!("the point's process answers what no engine does: {reason}")
        })?;
        let notes = reply.notes.iter().take(MOST_NOTES).map(|note| readable(note, LONGEST_NOTE));
        Ok(Self::Metrics(reply.metrics, reply.usage, notes.collect()))
    }
}

/// A text of limited length, without characters that a terminal would obey.
fn readable(error: &str, longest: usize) -> String {
    let mut end = error.len().min(longest);
    while !error.is_char_boundary(end) {
        end -= 1;
    }
    let obeyed = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    error[..end].chars().map(|c| if obeyed(c) { '?' } else { c }).collect()
}

fn check(metrics: &[Metric], point: &Point) -> Result<(), String> {
    let sizes =
        point.spec.get("workload").and_then(|workload| workload["message_bytes"].as_array());
    let sizes: HashSet<Option<u64>> = match sizes {
        Some(sizes) => sizes.iter().map(serde_json::Value::as_u64).collect(),
        None => [None].into(),
    };
    let answered: HashSet<_> = metrics.iter().map(|each| each.message_bytes).collect();
    // The smallest, so that the message is the same in all runs.
    if let Some(none) = sizes.iter().filter(|size| !answered.contains(size)).min() {
        return Err(none.map_or("no metric".into(), |size| format!("no metric of {size} B")));
    }
    let most = MOST_METRICS * sizes.len();
    if metrics.len() > most {
        return Err(format!("{} metrics, at most {most}", metrics.len()));
    }
    let mut seen = HashSet::new();
    for Metric { metric, message_bytes, value, unit } in metrics {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
        if metric.is_empty() || metric.len() > LONGEST_NAME || !metric.bytes().all(plain) {
            return Err(format!("{:?} as the name of a metric", shortened(metric)));
        }
        if unit.len() > LONGEST_UNIT || !unit.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(format!("{:?} as the unit of {metric}", shortened(unit)));
        }
        if !value.is_finite() {
            return Err(format!("{value} as the value of {metric}"));
        }
        if !sizes.contains(message_bytes) {
            return Err(format!(
                "{metric} of {message_bytes:?} B, which the point does not ask for"
            ));
        }
        if !seen.insert((metric, message_bytes)) {
            return Err(format!("{metric} twice"));
        }
    }
    Ok(())
}

fn shortened(text: &str) -> String {
    text.chars().take(LONGEST_NAME).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What a terminal would obey.
    const ESCAPE: char = '\x1b';

    fn point() -> Point {
        let spec = serde_json::json!({"workload": {"message_bytes": [1, 8]}});
        Point {
            point_id: "p".into(),
            digest: "d".into(),
            limits: engine::Limits::default(),
            spec: spec.as_object().cloned().unwrap_or_default(),
        }
    }

    prop_compose! {
        fn any_metric()(
            metric in "[a-z]{0,3}|[a-z_]{64,65}|\\PC{1,3}",
            message_bytes in prop::option::of(0_u64..9),
            value in any::<f64>(),
            unit in "|[a-zA-Z/]{1,17}|\\PC{1,3}",
        ) -> Metric {
            Metric { metric, message_bytes, value, unit }
        }
    }

    fn any_line() -> impl Strategy<Value = Vec<u8>> {
        let replies =
            (prop::option::of("(\\PC|\u{1b}|\n){0,9}"), prop::collection::vec(any_metric(), 0..3))
                .prop_map(|(error, metrics)| Reply { error, metrics, ..Reply::default() })
                .prop_map(|reply| serde_json::to_vec(&reply).unwrap_or_default());
        prop_oneof![replies, prop::collection::vec(any::<u8>(), 0..40)]
    }

    #[test]
    fn an_answer_without_a_number_of_each_size_is_refused() {
        let eight = r#"{"metrics":[{"metric":"a","message_bytes":8,"value":1,"unit":"s"}]}"#;
        for (line, size) in
            [("{}", " of 1 B"), (r#"{"metrics":[]}"#, " of 1 B"), (eight, " of 1 B")]
        {
            let error = Received::read(line.as_bytes(), &point(), Path::new(".")).unwrap_err();
            assert!(error.contains(&format!("no metric{size}")), "{error}");
        }
    }

    proptest! {
        /// What a program writes never reaches a terminal or a table as it is.
        #[test]
        fn any_line_is_an_answer_or_refused_or_nothing(line in any_line()) {
            match Received::read(&line, &point(), Path::new(".")) {
                Ok(Received::Metrics(metrics, _, _)) => for each in metrics {
                    prop_assert!(each.value.is_finite());
                    prop_assert!(matches!(each.message_bytes, Some(1 | 8)));
                    prop_assert!((1..=64).contains(&each.metric.len()) && each.unit.len() <= 16);
                    prop_assert!(!each.metric.contains(|c: char| !c.is_ascii() || c == ESCAPE));
                },
                Ok(Received::Failed(error, _)) => prop_assert!(!error.contains(ESCAPE)),
                Ok(Received::Nothing) => {}
                Err(reason) => prop_assert!(reason.contains("answers what no engine does")),
            }
        }
    }
}
