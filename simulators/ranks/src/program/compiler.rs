//! The C compiler: which one, its flags, and starting it.

#![expect(unsafe_code, reason = "loads and calls code of others")]

use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, io};

/// The environment variable that names a compiler.
const VARIABLE: &str = "WEFT_CC";
/// `-fstack-clash-protection` touches every page of a large frame, so that none jumps over a guard page.
/// `-ffp-contract=off` fuses no products with sums, so that results are the same on all processors.
const FLAGS: [&str; 5] = [
    "-fPIC",
    "-O2",
    "-ffp-contract=off",
    "-fstack-clash-protection",
    "-Werror=implicit-function-declaration",
];
/// The program's own functions win over those of the same name elsewhere.
const SHARED: [&str; 3] = ["-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs"];
/// Limits of each process of the compiler: seconds of processor time, bytes of memory, of a file, of an
/// image of memory after a crash.
const LIMITS: [(libc::__rlimit_resource_t, u64); 4] = [
    (libc::RLIMIT_CPU, 120),
    (libc::RLIMIT_AS, 16 << 30),
    (libc::RLIMIT_FSIZE, 1 << 30),
    (libc::RLIMIT_CORE, 0),
];
/// Several sources become one object.
const OBJECT: [&str; 2] = ["-r", "-nostdlib"];

/// What the compiler makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Made {
    Object,
    SharedLibrary,
}

/// A compiler, and what its results depend on.
#[derive(Debug, Clone)]
pub struct Compiler {
    path: PathBuf,
    /// File and flags.
    pub identity: String,
}

impl Compiler {
    /// `$WEFT_CC`, else `cc`, else `gcc`.
    pub fn find() -> Result<Self, String> {
        let own = env::var(VARIABLE).ok().filter(|command| !command.is_empty());
        let candidates = own.map_or_else(|| vec!["cc".into(), "gcc".into()], |own| vec![own]);
        let Some(path) = candidates.iter().find_map(|command| which::which(command).ok()) else {
            return Err(format!(
                "no C compiler to compile the program with: {} not found or not able to run; \
                 install one or name it with {VARIABLE}",
                candidates.join(" and ")
            ));
        };
        let file = identity(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let identity = format!("{file} {FLAGS:?}{SHARED:?}{OBJECT:?}");
        Ok(Self { path, identity })
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
        let mut command = start(&self.path);
        command.args(FLAGS).arg("-I").arg(include);
        match made {
            Made::Object => command.args(OBJECT).args(sources),
            Made::SharedLibrary => command.args(SHARED).args(sources).arg("-lm"),
        };
        // `words` reads the messages, so they must be in English and in ASCII.
        command.args(["-o", name]).env("LC_ALL", "C").current_dir(folder);
        command.output().map_err(|error| format!("{}: {error}", self.path.display()))
    }
}

/// Identifies a compiler by its file, size and time, as compiler caches do: asking it for its version
/// would take as long as a small point.
fn identity(path: &Path) -> io::Result<String> {
    let file = path.canonicalize()?;
    let known = file.metadata()?;
    let (size, changed) = (known.len(), (known.mtime(), known.mtime_nsec()));
    Ok(format!("{} {} {size} {changed:?}", path.display(), file.display()))
}

/// A command for the compiler that the kernel kills when the simulator ends.
fn start(compiler: &Path) -> Command {
    let mut made = Command::new(compiler);
    // SAFETY: between fork and exec there are only system calls.
    unsafe {
        made.pre_exec(|| {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            for (kind, most) in LIMITS {
                let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
                libc::setrlimit(kind, &limit);
            }
            Ok(())
        });
    }
    made
}
