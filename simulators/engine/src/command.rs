//! The command line that all native engines share.

use crate::{Answer, Arguments, EngineError, Metric, Point, output, run};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// One engine as a command `weft-<name>`.
pub struct Simulator<A = Result<Vec<Metric>, String>> {
    pub name: &'static str,
    pub version: &'static str,
    /// The engine's description of itself, for `describe` and for the catalogue.
    pub declaration: fn() -> Value,
    /// Commands of its own, which its `main` runs: each with what it does, for `--help`.
    pub commands: &'static [(&'static str, &'static str)],
    /// Whether a point has a process of its own. Then `run_point` enforces its limits.
    pub in_process: fn(&Point) -> bool,
    /// Computes one point and writes its side tables to the folder.
    pub run_point: fn(&Point, &Path) -> A,
}

impl<A: Into<Answer>> Simulator<A> {
    /// Runs the command that the process's arguments give.
    pub fn main(&self) -> ExitCode {
        let words: Vec<String> = std::env::args().skip(1).collect();
        match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["describe"] => self.print(&format!("{:#}", self.described())),
            ["--version"] => self.print(&format!("{} {}", self.command(), self.version)),
            ["--help" | "-h"] => self.print(&self.usage()),
            ["run", ref options @ ..] => match arguments(options, self.in_process) {
                Ok(arguments) => self.report(self.run(&arguments)),
                Err(reason) => self.misuse(&reason),
            },
            [] => self.misuse("no command"),
            [command, ..] => self.misuse(&format!("unknown command {command}")),
        }
    }

    fn command(&self) -> String {
        format!("weft-{}", self.name)
    }

    fn print(&self, text: &str) -> ExitCode {
        output::print_line(&self.command(), text)
    }

    fn described(&self) -> Value {
        let mut described = (self.declaration)();
        described["name"] = self.name.into();
        described["version"] = self.version.into();
        described
    }

    fn usage(&self) -> String {
        let (mut commands, mut meanings) = (String::new(), String::new());
        for (command, does) in self.commands {
            commands += &format!("\n       weft-{} {command}", self.name);
            meanings += &format!("{} {does}\n", command.split(" <").next().unwrap_or(command));
        }
        format!(
            "usage: weft-{0} run --shard IN.json --out DIR [--threads N]
       weft-{0} describe{commands}
       weft-{0} --version

run computes the points of a shard and appends one line per point to DIR/journal.jsonl.
describe prints the engine's options, metrics and tables as JSON.
{meanings}Exit code: 0 all points have a line (also failed ones), 2 invalid command or shard,
3 reading or writing failed, 4 another process computes this shard.",
            self.name
        )
    }

    fn misuse(&self, reason: &str) -> ExitCode {
        output::complain(&self.command(), &format!("{reason}\n{}", self.usage()));
        ExitCode::from(2)
    }

    fn run(&self, arguments: &Arguments) -> Result<(), EngineError> {
        // A panic becomes a failed point with its reason. The default hook would print it as well.
        std::panic::set_hook(Box::new(|_| {}));
        run(self.name, arguments, self.run_point).map(|_| ())
    }

    fn report(&self, result: Result<(), EngineError>) -> ExitCode {
        match result {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                output::complain(&self.command(), &error.to_string());
                ExitCode::from(error.exit_code())
            }
        }
    }
}

fn arguments(options: &[&str], in_process: fn(&Point) -> bool) -> Result<Arguments, String> {
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
    Ok(Arguments { shard, out, threads, in_process })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        /// Options stand in any order, the last value of each counts, and a mistake is named.
        #[test]
        fn any_options_are_read_or_refused(
            words in prop::collection::vec(
                prop_oneof![
                    ("--(shard|out)", "[a-z/]{1,4}").prop_map(|(name, value)| vec![name, value]),
                    ("--threads", "[0-9]{1,3}|-1|x").prop_map(|(name, value)| vec![name, value]),
                    "(--[a-z]{0,5}|[a-z]{0,3})".prop_map(|word| vec![word]),
                ],
                0..5
            )
        ) {
            let words: Vec<&str> = words.iter().flatten().map(String::as_str).collect();
            let last = |name: &str| words.iter().rposition(|word| *word == name).map(|at| words[at + 1]);
            match arguments(&words, |_| false) {
                Ok(read) => {
                    prop_assert_eq!(Some(read.shard.to_str().unwrap()), last("--shard"));
                    prop_assert_eq!(Some(read.out.to_str().unwrap()), last("--out"));
                    prop_assert!(read.threads > 0);
                }
                Err(error) => {
                    let named = words.iter().any(|word| error.contains(word));
                    prop_assert!(named || error.ends_with("is missing"), "{}", error);
                }
            }
        }
    }
}
