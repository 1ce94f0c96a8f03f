//! The C compiler: which one, its flags, and starting it.

use std::env;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// Names a compiler of the user's choice.
const VARIABLE: &str = "WEFT_CC";
/// What a compiler told, for the processes of points: asking takes a millisecond.
const TOLD: &str = "WEFT_RDMA_COMPILER";

/// Every page of a large frame is touched, so that none jumps over a guard; no products are fused
/// with sums, so that results are the same on all processors.
const FLAGS: [&str; 5] = [
    "-fPIC",
    "-O2",
    "-ffp-contract=off",
    "-fstack-clash-protection",
    "-Werror=implicit-function-declaration",
];
/// The program's own functions win over those of the same name elsewhere.
const SHARED: [&str; 3] = ["-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs"];
/// Several sources become one object.
const OBJECT: [&str; 2] = ["-r", "-nostdlib"];

/// What is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Made {
    Object,
    SharedLibrary,
}

/// A compiler that was found, with what its results depend on.
#[derive(Debug, Clone)]
pub struct Compiler {
    command: String,
    /// Command, version, machine and flags.
    pub identity: String,
}

impl Compiler {
    /// `$WEFT_CC`, else `cc`, else `gcc`.
    pub fn find() -> Result<Self, String> {
        let told = env::var(TOLD).ok();
        match told.as_deref().and_then(|told| told.split_once('\n')) {
            Some((command, identity)) => {
                Ok(Self { command: command.into(), identity: identity.into() })
            }
            None => Self::ask(),
        }
    }

    /// A variable for the environment of the processes of points, which then need not ask.
    pub fn told() -> Option<(&'static str, &'static str)> {
        static FOUND: OnceLock<Option<String>> = OnceLock::new();
        let ask = || Self::ask().ok().map(|found| format!("{}\n{}", found.command, found.identity));
        FOUND.get_or_init(ask).as_deref().map(|told| (TOLD, told))
    }

    fn ask() -> Result<Self, String> {
        let own = env::var(VARIABLE).ok().filter(|command| !command.is_empty());
        let candidates = own.map_or_else(|| vec!["cc".into(), "gcc".into()], |own| vec![own]);
        for command in &candidates {
            let asked = start(command).args(["-dumpfullversion", "-dumpmachine"]).output();
            if let Ok(told) = asked {
                if told.status.success() {
                    let version = String::from_utf8_lossy(&told.stdout).replace('\n', " ");
                    let identity = format!("{command} {version}{FLAGS:?}{SHARED:?}{OBJECT:?}");
                    return Ok(Self { command: command.clone(), identity });
                }
            }
        }
        Err(format!(
            "no C compiler to compile the program with: {} not found or not able to run; install one \
             or name it with {VARIABLE}",
            candidates.join(" and ")
        ))
    }

    /// Compiles `sources` in `folder` to `name` there, with headers from the folder `include`.
    pub fn compile(
        &self,
        folder: &Path,
        include: &Path,
        sources: &[PathBuf],
        made: Made,
        name: &str,
    ) -> Result<Output, String> {
        let mut command = start(&self.command);
        command.args(FLAGS).arg("-I").arg(include);
        match made {
            Made::Object => command.args(OBJECT).args(sources),
            Made::SharedLibrary => command.args(SHARED).args(sources).arg("-lm"),
        };
        // Messages in English and in ASCII: they are read.
        command.args(["-o", name]).env("LC_ALL", "C").current_dir(folder);
        command.output().map_err(|error| format!("{}: {error}", self.command))
    }
}

/// A compiler does not outlive the simulator that waits for it.
fn start(command: &str) -> Command {
    let mut made = Command::new(command);
    // SAFETY: the call between fork and exec is one system call.
    unsafe {
        made.pre_exec(|| {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            Ok(())
        });
    }
    made
}
