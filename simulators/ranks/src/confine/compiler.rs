//! Landlock for the compiler, which includes what a program names: it may read the system's files, its own
//! and the program's, and write where it compiles.

use super::{Mode, VARIABLE, mode};
use crate::process::SEARCHED;
use crate::watch::note;
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError,
};
use std::env;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const NEWEST: ABI = ABI::V5;
const SYSTEM: [&str; 9] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/dev/urandom",
];
const NOWHERE: &str = "/dev/null";

/// How a compiler is confined, if it is.
pub struct Walls(Option<RulesetCreated>);

impl Walls {
    /// For a compiler that reads `readable` and writes below `writable`.
    ///
    /// # Errors
    /// When confinement is required and the kernel has none.
    pub fn new(compiler: &Path, readable: &[&Path], writable: &[&Path]) -> Result<Self, String> {
        let mode = mode()?;
        if mode == Mode::Off {
            return Ok(Self::none());
        }
        let own = of_compiler(compiler).into_iter().chain(of_variables());
        let readable = own.chain(readable.iter().map(|path| path.to_path_buf()));
        match rules(readable, writable) {
            Ok(rules) => Ok(Self(Some(rules))),
            Err(error) if mode == Mode::Required => Err(refused(&error.to_string())),
            Err(_) => Ok(Self::none()),
        }
    }

    pub fn none() -> Self {
        Self(None)
    }

    pub fn are_there(&self) -> bool {
        self.0.is_some()
    }

    /// The compiler that the command starts stays within them.
    pub fn enclose(self, command: &mut Command) {
        let Some(rules) = self.0 else { return };
        // A cache of compilers would write elsewhere.
        command.env("CCACHE_DISABLE", "1");
        let mut rules = Some(rules);
        // SAFETY: between fork and exec there are only system calls.
        unsafe {
            command.pre_exec(move || match rules.take() {
                Some(rules) => rules.restrict_self().map(drop).map_err(std::io::Error::other),
                None => Ok(()),
            });
        }
    }
}

/// What to do with a compiler that does not work within the walls.
///
/// # Errors
/// When they are required.
pub fn do_without(compiler: &Path) -> Result<(), String> {
    let why = format!("{} does not work without other files", compiler.display());
    if mode()? == Mode::Required {
        return Err(refused(&why));
    }
    note(&format!("the compiler is not confined: {why}"));
    Ok(())
}

fn refused(why: &str) -> String {
    format!("the program is not compiled, because {VARIABLE} is required: {why}")
}

fn rules(
    readable: impl Iterator<Item = PathBuf>,
    writable: &[&Path],
) -> Result<RulesetCreated, RulesetError> {
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .create()?;
    let read = AccessFs::from_read(NEWEST);
    let system = SYSTEM.iter().map(PathBuf::from);
    let given = system.chain(readable).map(|path| (path, read));
    let all = AccessFs::from_all(NEWEST);
    let written = writable.iter().map(|path| (path.to_path_buf(), all));
    let nowhere = (NOWHERE.into(), AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate);
    for (path, access) in given.chain(written).chain([nowhere]) {
        // What is missing needs no permission.
        if let Ok(file) = PathFd::new(&path) {
            let access = if path.is_dir() { access } else { access & AccessFs::from_file(NEWEST) };
            rules = rules.add_rule(PathBeneath::new(file, access))?;
        }
    }
    Ok(rules)
}

/// The folders of a compiler that lies outside of the system's.
fn of_compiler(path: &Path) -> Vec<PathBuf> {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let own = [path.parent(), real.parent(), real.parent().and_then(Path::parent)];
    own.into_iter().flatten().filter(|folder| is_narrow(folder)).map(Path::to_path_buf).collect()
}

fn of_variables() -> Vec<PathBuf> {
    let named = SEARCHED.iter().filter_map(env::var_os);
    let folders = named.flat_map(|text| env::split_paths(&text).collect::<Vec<_>>());
    folders.filter(|folder| is_narrow(folder)).collect()
}

/// Whether the folder holds neither all files of the user nor the project.
fn is_narrow(folder: &Path) -> bool {
    let wide = [env::var_os("HOME").map(PathBuf::from), env::current_dir().ok()];
    folder.is_absolute() && !wide.iter().flatten().any(|wide| wide.starts_with(folder))
}
