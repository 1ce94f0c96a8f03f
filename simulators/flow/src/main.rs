//! `weft-flow`: the flow-level engine as a command.

use engine::{Arguments, EngineError};
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "usage: weft-flow run --shard IN.json --out DIR [--threads N]
       weft-flow describe
       weft-flow --version

run computes the points of a shard and appends one line per point to DIR/journal.jsonl.
Exit code: 0 all points have a line (also failed ones), 2 invalid command or shard,
3 reading or writing failed, 4 another process computes this shard.";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["describe"] => println!("{:#}", flow::describe()),
        ["--version"] => println!("weft-flow {}", flow::VERSION),
        ["--help" | "-h"] => println!("{USAGE}"),
        ["run", ref options @ ..] => {
            return match arguments(options) {
                Ok(arguments) => report(run(&arguments)),
                Err(reason) => misuse(&reason),
            }
        }
        [] => return misuse("no command"),
        [command, ..] => return misuse(&format!("unknown command {command}")),
    }
    ExitCode::SUCCESS
}

fn misuse(reason: &str) -> ExitCode {
    eprintln!("weft-flow: {reason}\n{USAGE}");
    ExitCode::from(2)
}

fn run(arguments: &Arguments) -> Result<(), EngineError> {
    // A panic becomes a failed point with its reason; the default hook would print it as well.
    std::panic::set_hook(Box::new(|_| {}));
    engine::run(flow::ENGINE, arguments, flow::run_point).map(|_| ())
}

fn report(result: Result<(), EngineError>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("weft-flow: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}

fn arguments(options: &[&str]) -> Result<Arguments, String> {
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
    Ok(Arguments { shard, out, threads })
}
