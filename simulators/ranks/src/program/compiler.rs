//! The C compiler: which one, its flags, and starting it.

#![expect(unsafe_code, reason = "loads and calls code of others")]

use super::flags::{FLAGS, OF_C};
use crate::confine::{Walls, do_without};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, io};

/// Unique symbols would keep a program in memory, and are shared by all that is loaded.
const OF_CPP: [&str; 1] = ["-fno-gnu-unique"];
/// Ranks share signals and the state of the processor. Older programs pass what they like to a call.
const OF_FORTRAN: [&str; 4] =
    ["-fno-backtrace", "-ffpe-summary=none", "-fallow-argument-mismatch", "-fallow-invalid-boz"];
/// The loader finds a program's copy of the runtime library beside it.
const BESIDE: &str = "-Wl,-rpath,$ORIGIN";
/// The program's own functions win over those of the same name elsewhere.
pub const SHARED: [&str; 4] = ["-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs", "-Wl,--gc-sections"];
/// Limits of each process of the compiler: seconds of processor time, bytes of memory, of a file, of an
/// image of memory after a crash.
const LIMITS: [(libc::__rlimit_resource_t, u64); 4] = [
    (libc::RLIMIT_CPU, 120),
    (libc::RLIMIT_AS, 16 << 30),
    (libc::RLIMIT_FSIZE, 1 << 30),
    (libc::RLIMIT_CORE, 0),
];
/// The language that a compiler is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    C,
    Cpp,
    Fortran,
}

impl Language {
    /// Its name, the environment variable that names a compiler, and the names that are tried else.
    fn compilers(self) -> (&'static str, &'static str, &'static [&'static str]) {
        match self {
            Self::C => ("C", "WEFT_CC", &["cc", "gcc"]),
            Self::Cpp => ("C++", "WEFT_CXX", &["c++", "g++"]),
            Self::Fortran => ("Fortran", "WEFT_FC", &["gfortran"]),
        }
    }

    fn ending(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Cpp => "cpp",
            Self::Fortran => "f90",
        }
    }

    fn flags(self) -> &'static [&'static str] {
        match self {
            Self::C => &OF_C,
            Self::Cpp => &OF_CPP,
            Self::Fortran => &OF_FORTRAN,
        }
    }
}

/// A compiler, and what its results depend on.
#[derive(Debug, Clone)]
pub struct Compiler {
    path: PathBuf,
    language: Language,
    /// File and flags.
    pub identity: String,
}

/// One call of a compiler.
pub struct Task<'t> {
    /// Where it runs.
    pub folder: &'t Path,
    /// Folders of headers, in the order in which they are searched.
    pub include: &'t [&'t Path],
    /// What an experiment adds, behind the flags of this module.
    pub flags: &'t [String],
    /// Sources and objects, and the switches between them.
    pub sources: &'t [PathBuf],
    /// The shared library that it makes.
    pub name: &'t Path,
}

impl Task<'_> {
    /// The folder of what it makes.
    fn made_in(&self) -> &Path {
        let folder = self.name.parent().filter(|folder| folder.is_absolute());
        folder.unwrap_or(self.folder)
    }
}

impl Compiler {
    /// The one that the environment names, else the first that is found.
    pub fn find(language: Language) -> Result<Self, String> {
        let (word, variable, usual) = language.compilers();
        let own = env::var(variable).ok().filter(|command| !command.is_empty());
        let candidates = own.map_or_else(
            || usual.iter().map(ToString::to_string).collect::<Vec<_>>(),
            |own| vec![own],
        );
        let Some(path) = candidates.iter().find_map(|command| which::which(command).ok()) else {
            return Err(format!(
                "no {word} compiler to compile the program with: {} not found or not able to run; \
                 install one or name it with {variable}",
                candidates.join(" and ")
            ));
        };
        let file = identity(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let own = language.flags();
        let identity = format!("{file} {FLAGS:?}{own:?}{SHARED:?}");
        Ok(Self { path, language, identity })
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the linker gets beside [`SHARED`].
    pub fn linking(&self) -> &'static [&'static str] {
        if self.language == Language::Fortran { &[BESIDE] } else { &[] }
    }

    /// Flags of everything that is compiled for the simulator, of which a user's may change the first.
    pub fn own_flags(&self) -> (&'static [&'static str], Vec<&'static str>) {
        let (first, others) = FLAGS.split_at(1);
        // Calls without a declaration are a matter of the project's own flags.
        let of_language = if self.language == Language::C { &[] } else { self.language.flags() };
        (first, [others, of_language].concat())
    }

    /// A file that belongs to the compiler.
    pub fn file(&self, name: &str) -> Result<PathBuf, String> {
        let output = start(&self.path).arg(format!("-print-file-name={name}")).output();
        let output = output.map_err(|error| format!("{}: {error}", self.path.display()))?;
        let path = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim_end());
        if path.is_absolute() {
            return Ok(path);
        }
        Err(format!("{} has no {name}, which the program needs", self.path.display()))
    }

    /// Makes a module and its object in a folder.
    pub fn compile_module(&self, folder: &Path, source: &str) -> Result<(), String> {
        let mut command = start(&self.path);
        command.args(FLAGS).args(self.language.flags()).args(["-c", source]).current_dir(folder);
        let output = command.output();
        let output = output.map_err(|error| format!("{}: {error}", self.path.display()))?;
        if output.status.success() {
            return Ok(());
        }
        let words = String::from_utf8_lossy(&output.stderr).trim().to_string();
        Err(format!("{} does not compile {source}: {words}", self.path.display()))
    }

    /// Compiles sources to a shared library. The compiler reads the files of the task, and no others of the
    /// user.
    pub fn compile(&self, task: &Task) -> Result<Output, String> {
        let walls = self.walls(task)?;
        let is_confined = walls.are_there();
        let output = self.output(task, walls)?;
        if !is_confined || output.status.success() || self.works_confined(task)? {
            return Ok(output);
        }
        do_without(&self.path)?;
        self.output(task, Walls::none())
    }

    fn walls(&self, task: &Task) -> Result<Walls, String> {
        let sources = task.sources.iter().map(PathBuf::as_path);
        let read: Vec<&Path> = task.include.iter().copied().chain(sources).collect();
        let read: Vec<&Path> = read.into_iter().filter(|path| path.is_absolute()).collect();
        Walls::new(&self.path, &read, &[task.folder, task.made_in()])
    }

    /// Whether a program of nothing compiles where that of the task does not.
    fn works_confined(&self, task: &Task) -> Result<bool, String> {
        let name = format!("nothing.{}", self.language.ending());
        let source = task.made_in().join(&name);
        let text = if self.language == Language::Fortran { "end\n" } else { "int weft_none;\n" };
        std::fs::write(&source, text).map_err(|e| format!("{}: {e}", source.display()))?;
        let nothing = Task {
            folder: task.made_in(),
            include: &[],
            flags: &[],
            sources: &[name.into()],
            name: Path::new("nothing.so"),
        };
        Ok(self.output(&nothing, self.walls(&nothing)?)?.status.success())
    }

    fn output(&self, task: &Task, walls: Walls) -> Result<Output, String> {
        let mut command = start(&self.path);
        command.env("TMPDIR", task.made_in());
        walls.enclose(&mut command);
        command.args(FLAGS).args(self.language.flags());
        let (libraries, flags): (Vec<_>, Vec<_>) =
            task.flags.iter().partition(|flag| flag.starts_with("-l"));
        command.args(flags);
        for folder in task.include {
            command.arg("-I").arg(folder);
        }
        // The linker looks into a library for what stands before it.
        command.args(SHARED).args(self.linking()).args(task.sources).args(libraries).arg("-lm");
        // `words` reads the messages, so they must be in English and in ASCII.
        command.arg("-o").arg(task.name).env("LC_ALL", "C").current_dir(task.folder);
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
