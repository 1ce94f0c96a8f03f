//! The `workload` part of a point whose workload is a program.

use ranks::Source;
use serde::Deserialize;
use std::path::PathBuf;

/// The workload kind `program`; the others have fields of their own and are refused by `kind`.
#[derive(Debug, Deserialize)]
#[serde(default)]
pub struct Workload {
    kind: String,
    pub program: String,
    pub source: PathBuf,
    pub source_sha256: Option<String>,
    pub input: Option<PathBuf>,
    pub input_sha256: Option<String>,
    pub ranks: u32,
    pub message_bytes: Option<Vec<u64>>,
    pub arguments: Vec<String>,
}

impl Default for Workload {
    fn default() -> Self {
        Self {
            kind: String::new(),
            program: String::new(),
            source: PathBuf::new(),
            source_sha256: None,
            input: None,
            input_sha256: None,
            ranks: 0,
            message_bytes: None,
            arguments: vec![],
        }
    }
}

impl Workload {
    /// Says what is wrong, for the engine of this name.
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
        Ok(())
    }

    /// The program's source and, if it names one, its input: both are what they were when the point
    /// was planned.
    pub fn source(&self) -> Result<Source, String> {
        let source = Source::read(&self.source, self.source_sha256.as_deref())?;
        if let Some(input) = &self.input {
            Source::read(input, self.input_sha256.as_deref())?;
        }
        Ok(source)
    }

    /// Each size is a simulation of its own; without sizes there is one.
    pub fn sizes(&self) -> Vec<Option<u64>> {
        match &self.message_bytes {
            Some(sizes) => sizes.iter().copied().map(Some).collect(),
            None => vec![None],
        }
    }

    /// The program's name, then its arguments; the size comes first where none of them names it.
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
}
