//! The command line that all native engines share.

use crate::{Answer, Arguments, EngineError, Metric, Point, run};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// One engine as a command `weft-<name>`.
pub struct Simulator<A = Result<Vec<Metric>, String>> {
    pub name: &'static str,
    pub version: &'static str,
    /// What the engine says of itself, for `describe` and for the catalogue.
    pub declaration: fn() -> Value,
    /// Whether each point has a process of its own, whose limits `run_point` watches.
    pub in_processes: bool,
    /// Computes one point; side tables go to the folder.
    pub run_point: fn(&Point, &Path) -> A,
}

impl<A: Into<Answer>> Simulator<A> {
    /// Obeys the process's arguments.
    pub fn main(&self) -> ExitCode {
        let words: Vec<String> = std::env::args().skip(1).collect();
        match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["describe"] => println!("{:#}", self.described()),
            ["--version"] => println!("weft-{} {}", self.name, self.version),
            ["--help" | "-h"] => println!("{}", self.usage()),
            ["run", ref options @ ..] => {
                return match arguments(options, !self.in_processes) {
                    Ok(arguments) => self.report(self.run(&arguments)),
                    Err(reason) => self.misuse(&reason),
                };
            }
            [] => return self.misuse("no command"),
            [command, ..] => return self.misuse(&format!("unknown command {command}")),
        }
        ExitCode::SUCCESS
    }

    fn described(&self) -> Value {
        let mut described = (self.declaration)();
        described["name"] = self.name.into();
        described["version"] = self.version.into();
        described
    }

    fn usage(&self) -> String {
        format!(
            "usage: weft-{0} run --shard IN.json --out DIR [--threads N]
       weft-{0} describe
       weft-{0} --version

run computes the points of a shard and appends one line per point to DIR/journal.jsonl.
Exit code: 0 all points have a line (also failed ones), 2 invalid command or shard,
3 reading or writing failed, 4 another process computes this shard.",
            self.name
        )
    }

    fn misuse(&self, reason: &str) -> ExitCode {
        eprintln!("weft-{}: {reason}\n{}", self.name, self.usage());
        ExitCode::from(2)
    }

    fn run(&self, arguments: &Arguments) -> Result<(), EngineError> {
        // A panic becomes a failed point with its reason; the default hook would print it as well.
        std::panic::set_hook(Box::new(|_| {}));
        run(self.name, arguments, self.run_point).map(|_| ())
    }

    fn report(&self, result: Result<(), EngineError>) -> ExitCode {
        match result {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("weft-{}: {error}", self.name);
                ExitCode::from(error.exit_code())
            }
        }
    }
}

fn arguments(options: &[&str], watched: bool) -> Result<Arguments, String> {
    let (mut shard, mut out, mut threads) = (None, None, 1);
    let mut words = options.iter();
    while let Some(&option) = words.next() {
        let value = words.next().ok_or_else(|| format!("{option} needs a value"))?;
        match option {
            "--shard" => shard = Some(PathBuf::from(value)),
            "--out" => out = Some(PathBuf::from(value)),
            "--threads" => {
                threads = value
                    .parse()
                    .ok()
                    .filter(|&n| n > 0)
                    .ok_or_else(|| format!("--threads is {value}, must be at least 1"))?;
            }
            _ => return Err(format!("unknown option {option}")),
        }
    }
    let shard = shard.ok_or("--shard is missing")?;
    let out = out.ok_or("--out is missing")?;
    Ok(Arguments { shard, out, threads, watched })
}
