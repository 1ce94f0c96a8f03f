//! What a point's process answers. A program shares that process and may write there what it likes, so
//! the answer is bounded and checked.

use engine::{Key, Metric, Point, SEAL_BYTES, Seals, Usage};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::sync::Mutex;

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
    /// What the log says of the program, too.
    pub notes: Vec<String>,
}

impl Reply {
    /// The line that the process writes: its seal, in hexadecimal digits, and the reply.
    pub fn line(&self, key: Option<&Key>) -> Vec<u8> {
        let text = serde_json::to_vec(self).unwrap_or_default();
        let seal = key.map(|key| seals(key).next(&[&text]));
        let digits = seal.iter().flatten().map(|byte| format!("{byte:02x}"));
        let mut line = digits.collect::<String>().into_bytes();
        line.extend_from_slice(&text);
        line.push(b'\n');
        line
    }
}

fn seals(key: &Key) -> Seals {
    Seals::new(key, "answer")
}

/// The reply of a line whose seal fits.
fn sealed<'l>(line: &'l [u8], key: &Key) -> Option<&'l [u8]> {
    let (digits, text) = line.trim_ascii_end().split_at_checked(2 * SEAL_BYTES)?;
    let seal = seals(key).next(&[text]);
    let expected: String = seal.iter().map(|byte| format!("{byte:02x}")).collect();
    (digits == expected.as_bytes()).then_some(text)
}

/// What it writes before it loads the program: how the program is confined.
#[derive(Debug, Serialize, Deserialize)]
pub struct Confined {
    pub confinement: String,
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
    Failed(String),
    /// It is no answer: the process was ended from outside or by its program.
    Nothing,
}

impl Received {
    /// Reads the answer to a point. A program may fail its own point; results need the seal of `key`.
    ///
    /// # Errors
    /// Says what no engine would answer.
    pub fn read(line: &[u8], point: &Point, key: &Key) -> Result<Self, String> {
        let sealed = sealed(line, key);
        let text = sealed.unwrap_or(line);
        let Ok(reply) = serde_json::from_slice::<Reply>(text) else {
            return if line.is_empty() { Ok(Self::Nothing) } else { Err(foreign()) };
        };
        if let Some(error) = reply.error {
            return Ok(Self::Failed(readable(&error, LONGEST_ERROR)));
        }
        if sealed.is_none() {
            return Err(foreign());
        }
        check(&reply.metrics, point).map_err(|reason| {
            format!("the point's process answers what no engine does: {reason}")
        })?;
        let notes = reply.notes.iter().take(MOST_NOTES).map(|note| readable(note, LONGEST_NOTE));
        Ok(Self::Metrics(reply.metrics, reply.usage, notes.collect()))
    }
}

fn foreign() -> String {
    "the point's program writes where only results of the simulator belong".into()
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

    fn key() -> Key {
        Key::of(&"5".repeat(64)).unwrap()
    }

    #[test]
    fn results_need_a_seal_and_failures_do_not() {
        let metrics = [1, 8].map(|size| Metric {
            metric: "a".into(),
            message_bytes: Some(size),
            value: 1.0,
            unit: "s".into(),
        });
        let reply = Reply { metrics: metrics.into(), ..Reply::default() };
        let read = |line: &[u8]| Received::read(line, &point(), &key());
        assert!(matches!(read(&reply.line(Some(&key()))), Ok(Received::Metrics(..))));
        let other = Key::of(&"6".repeat(64)).unwrap();
        for line in [reply.line(None), reply.line(Some(&other)), b"x\n".to_vec()] {
            assert!(
                read(&line).unwrap_err().contains("where only results of the simulator belong")
            );
        }
        assert!(
            matches!(read(br#"{"error":"mine"}"#), Ok(Received::Failed(error)) if error == "mine")
        );
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
                .prop_map(|reply| reply.line(Some(&key())));
        prop_oneof![replies, prop::collection::vec(any::<u8>(), 0..40)]
    }

    #[test]
    fn an_answer_without_a_number_of_each_size_is_refused() {
        let eight = r#"{"metrics":[{"metric":"a","message_bytes":8,"value":1,"unit":"s"}]}"#;
        for (line, size) in
            [("{}", " of 1 B"), (r#"{"metrics":[]}"#, " of 1 B"), (eight, " of 1 B")]
        {
            let reply: Reply = serde_json::from_str(line).unwrap();
            let error = Received::read(&reply.line(Some(&key())), &point(), &key()).unwrap_err();
            assert!(error.contains(&format!("no metric{size}")), "{error}");
        }
    }

    #[test]
    fn what_no_engine_answers_is_refused_with_its_reason() {
        let metric = |metric: &str, message_bytes, unit: &str| Metric {
            metric: metric.into(),
            message_bytes,
            value: 1.0,
            unit: unit.into(),
        };
        let many = (0..1200).map(|i| metric(&format!("m{i}"), Some(1), "s")).collect();
        for (more, reason) in [
            (vec![metric("<b>", Some(1), "s")], "\"<b>\" as the name of a metric"),
            (vec![metric(&"m".repeat(99), Some(1), "s")], "as the name of a metric"),
            (vec![metric("m", Some(1), "a b")], "\"a b\" as the unit of m"),
            (vec![metric("m", Some(7), "s")], "m of Some(7) B"),
            (vec![metric("a", Some(1), "s")], "a twice"),
            (many, "1202 metrics, at most 1024"),
        ] {
            let mut metrics = vec![metric("a", Some(1), "s"), metric("a", Some(8), "s")];
            metrics.extend(more);
            let line = Reply { metrics, ..Reply::default() }.line(Some(&key()));
            let error = Received::read(&line, &point(), &key()).unwrap_err();
            assert!(error.contains("answers what no engine does"), "{error}");
            assert!(error.contains(reason), "{error}");
        }
    }

    proptest! {
        /// What a program writes never reaches a terminal or a table as it is.
        #[test]
        fn any_line_is_an_answer_or_refused_or_nothing(line in any_line()) {
            match Received::read(&line, &point(), &key()) {
                Ok(Received::Metrics(metrics, _, _)) => for each in metrics {
                    prop_assert!(each.value.is_finite());
                    prop_assert!(matches!(each.message_bytes, Some(1 | 8)));
                    prop_assert!((1..=64).contains(&each.metric.len()) && each.unit.len() <= 16);
                    prop_assert!(!each.metric.contains(|c: char| !c.is_ascii() || c == ESCAPE));
                },
                Ok(Received::Failed(error)) => prop_assert!(!error.contains(ESCAPE)),
                Ok(Received::Nothing) => {}
                Err(reason) => prop_assert!(
                    reason.contains("answers what no engine does")
                        || reason.contains("where only results of the simulator belong")
                ),
            }
        }
    }
}
