//! From a point's spec to its metrics.

use crate::names;
use crate::options::Options;
use crate::parameters::Parameters;
use crate::program::Source;
use crate::run::{self, Job};
use crate::watch;
use engine::{Metric, Point};
use fabric::TopologySpec;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

#[derive(Debug, Deserialize)]
struct Spec {
    seed: u64,
    topology: TopologySpec,
    network: Parameters,
    workload: Workload,
    options: Map<String, Value>,
}

/// The workload kind `program`; the others have fields of their own and are refused by `kind`.
#[derive(Debug, Deserialize)]
#[serde(default)]
struct Workload {
    kind: String,
    program: String,
    source: PathBuf,
    source_sha256: Option<String>,
    input: Option<PathBuf>,
    input_sha256: Option<String>,
    ranks: u32,
    message_bytes: Option<Vec<u64>>,
    arguments: Vec<String>,
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
    fn check(&self) -> Result<(), String> {
        if self.kind != "program" {
            return Err(format!(
                "the rdma engine answers the workload kind program, not {}",
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

    /// Each size is a simulation of its own; without sizes there is one.
    fn sizes(&self) -> Vec<Option<u64>> {
        match &self.message_bytes {
            Some(sizes) => sizes.iter().copied().map(Some).collect(),
            None => vec![None],
        }
    }

    /// The program's name, then its arguments; the size comes first where none of them names it.
    fn arguments(&self, size: Option<u64>) -> Vec<String> {
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

/// Computes one point in this process; tables on demand go to the folder `out`.
pub fn simulate(point: &Point, out: &Path) -> Result<Vec<Metric>, String> {
    let spec = Spec::deserialize(Value::Object(point.spec.clone())).map_err(|e| e.to_string())?;
    spec.workload.check()?;
    spec.network.check()?;
    let options = Options::read(&spec.options)?;
    let sizes = spec.workload.sizes();
    if let (Some(table), true) = (options.tables.first(), sizes.len() > 1) {
        let name = format!("{table:?}").to_lowercase();
        return Err(format!("table {name} needs exactly one message size"));
    }
    let fabric = spec.topology.build(spec.seed).map_err(|e| e.to_string())?;
    let workload = &spec.workload;
    let nodes = run::place(&options, workload.ranks, fabric.nodes(), spec.seed)?;
    let source = Source::read(&workload.source, workload.source_sha256.as_deref())?;
    names::as_in(&source.text);
    if let Some(input) = &workload.input {
        Source::read(input, workload.input_sha256.as_deref())?;
    }
    watch::install(options.loop_limit_s);
    let job = Job {
        point_id: &point.point_id,
        out,
        options: &options,
        parameters: &spec.network,
        fabric: &fabric,
        nodes: &nodes,
        seed: spec.seed,
    };
    let runs = sizes.iter().map(|&size| (size, workload.arguments(size)));
    job.run(&source, &runs.collect::<Vec<_>>())
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
