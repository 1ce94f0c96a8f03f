//! The `workload` part of a point whose workload is a program.

use crate::jobs::{Job, Runs};
use crate::time::from_seconds;
use ranks::{Build, Source};
use serde::Deserialize;
use std::path::PathBuf;

/// A workload of the kind `program`. [`Workload::check`] refuses the others by their kind.
#[derive(Debug, Deserialize)]
#[serde(default)]
pub struct Workload {
    kind: String,
    pub program: String,
    pub source: PathBuf,
    pub source_sha256: Option<String>,
    /// Of a program of several files.
    pub build: Option<Build>,
    pub input: Option<PathBuf>,
    pub input_sha256: Option<String>,
    pub ranks: u32,
    pub message_bytes: Option<Vec<u64>>,
    pub arguments: Vec<String>,
    /// Programs that run at once, instead of one.
    pub jobs: Vec<JobSpec>,
    /// Each job begins on the first node of a group of so many.
    pub group_nodes: Option<u32>,
}

/// One of several jobs: a workload of its own with at most one size.
#[derive(Debug, Deserialize)]
pub struct JobSpec {
    #[serde(flatten)]
    pub workload: Workload,
    #[serde(default)]
    pub start_s: f64,
    #[serde(default)]
    pub repeat: Repeat,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged)]
pub enum Repeat {
    Count(u32),
    Word(RepeatWord),
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RepeatWord {
    UntilOthersEnd,
}

impl Default for Repeat {
    fn default() -> Self {
        Self::Count(1)
    }
}

/// More jobs have no metrics.
pub const MOST_JOBS: usize = 8;
/// A job begins before this, so that sums of times do not overflow.
const LATEST_S: f64 = 1e6;

impl JobSpec {
    /// When it runs, and with how many ranks.
    pub fn job(&self) -> Job {
        let runs = match self.repeat {
            Repeat::Count(count) => Runs::Count(count),
            Repeat::Word(RepeatWord::UntilOthersEnd) => Runs::UntilOthersEnd,
        };
        Job { ranks: self.workload.ranks, start: from_seconds(self.start_s), runs }
    }

    fn check(&self, engine: &str) -> Result<(), String> {
        self.workload.check(engine)?;
        if !self.workload.jobs.is_empty() {
            return Err("a job is one program, and has no jobs".into());
        }
        if self.workload.message_bytes.as_ref().is_some_and(|sizes| sizes.len() > 1) {
            return Err("a job has at most one message size".into());
        }
        if !(0.0..LATEST_S).contains(&self.start_s) {
            return Err(format!("start_s is {}, must be from 0 to {LATEST_S}", self.start_s));
        }
        match self.repeat {
            Repeat::Count(0) => Err("repeat is 0, must be at least 1".into()),
            _ => Ok(()),
        }
    }
}

impl Default for Workload {
    fn default() -> Self {
        Self {
            kind: String::new(),
            program: String::new(),
            source: PathBuf::new(),
            source_sha256: None,
            build: None,
            input: None,
            input_sha256: None,
            ranks: 0,
            message_bytes: None,
            arguments: vec![],
            jobs: vec![],
            group_nodes: None,
        }
    }
}

impl Workload {
    /// Checks the workload for the engine of this name.
    pub fn check(&self, engine: &str) -> Result<(), String> {
        if self.kind != "program" {
            return Err(format!(
                "the {engine} engine answers the workload kind program, not {}",
                self.kind
            ));
        }
        if self.ranks == 0 {
            return Err("ranks is 0, must be at least 1".into());
        }
        if self.message_bytes.as_ref().is_some_and(Vec::is_empty) {
            return Err("message_bytes is empty".into());
        }
        self.check_jobs(engine)
    }

    fn check_jobs(&self, engine: &str) -> Result<(), String> {
        if self.jobs.is_empty() {
            return Ok(());
        }
        if self.jobs.len() > MOST_JOBS {
            return Err(format!("{} jobs, at most {MOST_JOBS} can run at once", self.jobs.len()));
        }
        for (number, job) in self.jobs.iter().enumerate() {
            job.check(engine).map_err(|why| format!("job {}: {why}", number + 1))?;
        }
        if self.jobs.iter().all(|job| job.job().runs == Runs::UntilOthersEnd) {
            return Err("all jobs run until the others end; one must have a count".into());
        }
        let ranks: u64 = self.jobs.iter().map(|job| u64::from(job.workload.ranks)).sum();
        match ranks == u64::from(self.ranks) {
            true => Ok(()),
            false => Err(format!("ranks is {}, but all jobs have {ranks}", self.ranks)),
        }
    }

    /// The programs that run: those of the jobs, or the one of the workload.
    pub fn programs(&self) -> Vec<&Self> {
        match self.jobs.is_empty() {
            true => vec![self],
            false => self.jobs.iter().map(|job| &job.workload).collect(),
        }
    }

    /// Reads the program's source. Checks that it and the input, if it has a digest, are as they were
    /// planned.
    pub fn source(&self) -> Result<Source, String> {
        let source = match &self.build {
            Some(build) => Source::of_files(build)?,
            None => Source::read(&self.source, self.source_sha256.as_deref())?,
        };
        // Without a digest there is nothing to compare a file with, which may be large.
        if let (Some(input), Some(digest)) = (&self.input, &self.input_sha256) {
            Source::read(input, Some(digest))?;
        }
        Ok(source)
    }

    /// The workload with an input that is found from any folder.
    pub fn with_absolute_input(mut self) -> Result<Self, String> {
        if let Some(input) = &self.input {
            let whole = std::path::absolute(input);
            self.input = Some(whole.map_err(|error| format!("{}: {error}", input.display()))?);
        }
        for job in &mut self.jobs {
            job.workload = std::mem::take(&mut job.workload).with_absolute_input()?;
        }
        Ok(self)
    }

    /// The message size of each simulation. Without sizes there is one simulation.
    pub fn sizes(&self) -> Vec<Option<u64>> {
        match &self.message_bytes {
            Some(sizes) => sizes.iter().copied().map(Some).collect(),
            None => vec![None],
        }
    }

    /// The program's name, then its arguments. The size is the first one unless an argument names it.
    pub fn arguments(&self, size: Option<u64>) -> Vec<String> {
        let mut words = vec![self.program.clone()];
        let named = self.arguments.iter().any(|word| word.contains("{message_bytes}"));
        if let (Some(bytes), false) = (size, named) {
            words.push(bytes.to_string());
        }
        let input = self.input.as_ref().map_or_else(String::new, |path| path.display().to_string());
        words.extend(self.arguments.iter().map(|word| {
            let bytes = size.map_or_else(String::new, |bytes| bytes.to_string());
            word.replace("{message_bytes}", &bytes).replace("{input}", &input)
        }));
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn words(arguments: &[&str]) -> Vec<String> {
        let workload = Workload {
            program: "p".into(),
            input: Some("data.csv".into()),
            arguments: arguments.iter().map(ToString::to_string).collect(),
            ..Workload::default()
        };
        workload.arguments(Some(64))
    }

    #[test]
    fn the_size_is_the_first_argument_unless_another_one_names_it() {
        assert_eq!(words(&["a"]), ["p", "64", "a"]);
        assert_eq!(words(&["-n", "x{message_bytes}", "{input}"]), ["p", "-n", "x64", "data.csv"]);
    }

    fn any_value() -> impl Strategy<Value = Value> {
        prop_oneof![
            Just(Value::Null),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            "(program|messages|\\PC{0,4})".prop_map(Value::from),
            prop::collection::vec(0_u64..9, 0..3).prop_map(Value::from),
            prop::collection::vec("\\PC{0,4}", 0..3).prop_map(Value::from),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        /// Arguments keep their number and their order, whatever they hold.
        #[test]
        fn names_in_braces_are_replaced_wherever_they_stand(
            parts in prop::collection::vec(
                prop::collection::vec(
                    prop::sample::select(vec!["{message_bytes}", "{input}", "{", "}", "a ", "ä"]), 0..4
                ), 0..5
            ),
            size in prop::option::of(0_u64..99), input in "[a-z{}]{0,6}"
        ) {
            let texts: Vec<String> = parts.iter().map(|part| part.concat()).collect();
            let workload = Workload {
                program: "p".into(),
                input: Some(input.clone().into()),
                arguments: texts.clone(),
                ..Workload::default()
            };
            let bytes = size.map_or_else(String::new, |bytes| bytes.to_string());
            let is_named = texts.iter().any(|text| text.contains("{message_bytes}"));
            let mut expected = vec!["p".to_string()];
            expected.extend(size.filter(|_| !is_named).map(|bytes| bytes.to_string()));
            expected.extend(parts.iter().map(|part| {
                part.iter().map(|&piece| match piece {
                    "{message_bytes}" => bytes.as_str(),
                    "{input}" => &input,
                    piece => piece,
                }).collect::<String>()
            }));
            prop_assert_eq!(workload.arguments(size), expected);
        }

        #[test]
        fn any_workload_is_read_or_refused(
            key in prop::sample::select(vec![
                "kind", "program", "source", "source_sha256", "input", "ranks", "message_bytes", "arguments"
            ]),
            value in any_value()
        ) {
            let mut spec = json!({"kind": "program", "program": "p", "source": "p.c", "ranks": 2,
                                  "message_bytes": [8], "arguments": ["a"]});
            spec[key] = value;
            if let Ok(workload) = serde_json::from_value::<Workload>(spec) {
                if workload.check("flow").is_ok() {
                    prop_assert!(workload.ranks > 0 && !workload.sizes().is_empty());
                }
            }
        }
    }
}
