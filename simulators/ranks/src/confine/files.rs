//! Landlock: which files the process may open from now on, and that it connects to nobody.

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, LandlockStatus, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};
use std::collections::BTreeSet;
use std::fs::read_to_string;
use std::path::{Path, PathBuf};

/// What this crate knows; an older kernel does what it can.
const NEWEST: ABI = ABI::V7;
/// Files without which the loader, the C library or the engine do not work.
const SYSTEM: [&str; 5] =
    ["/etc/ld.so.cache", "/proc/self/status", "/dev/zero", "/dev/urandom", "/dev/random"];
const LIBRARIES: [&str; 4] = ["/usr/lib", "/usr/lib64", "/lib", "/lib64"];
const NOWHERE: &str = "/dev/null";

/// Closes all files but those that are open already, the system's libraries, `readable`, and all below
/// `folder`, where the program may also write, rename and remove files and folders. Returns the name of the layer, or why it is missing.
pub(super) fn close(readable: &[&Path], folder: Option<&Path>) -> Result<String, String> {
    let status = restrict(readable, folder).map_err(|error| format!("Landlock: {error}"))?;
    match (status.ruleset, status.landlock) {
        (RulesetStatus::NotEnforced, _) => {
            Err("the kernel has no Landlock, or it is not on".into())
        }
        (_, LandlockStatus::Available { effective_abi, .. }) => {
            Ok(format!("Landlock (ABI {})", effective_abi as i32))
        }
        _ => Ok("Landlock".into()),
    }
}

fn restrict(
    readable: &[&Path],
    folder: Option<&Path>,
) -> Result<landlock::RestrictionStatus, RulesetError> {
    let read = AccessFs::ReadFile;
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?;
    let files = SYSTEM.iter().map(Path::new).chain(readable.iter().copied());
    for path in files.chain(libraries().iter().map(PathBuf::as_path)) {
        // What is missing needs no permission.
        if let Ok(file) = PathFd::new(path) {
            rules = rules.add_rule(PathBeneath::new(file, read))?;
        }
    }
    if let Ok(file) = PathFd::new(NOWHERE) {
        let all = read | AccessFs::WriteFile | AccessFs::Truncate;
        rules = rules.add_rule(PathBeneath::new(file, all))?;
    }
    if let Some(file) = folder.and_then(|folder| PathFd::new(folder).ok()) {
        let files =
            AccessFs::WriteFile | AccessFs::Truncate | AccessFs::MakeReg | AccessFs::RemoveFile;
        let folders = AccessFs::MakeDir | AccessFs::RemoveDir | AccessFs::ReadDir;
        rules = rules.add_rule(PathBeneath::new(file, files | folders | read))?;
    }
    rules.restrict_self()
}

/// Folders of libraries: the system's, and those from which this executable got its own.
fn libraries() -> BTreeSet<PathBuf> {
    let maps = read_to_string("/proc/self/maps").unwrap_or_default();
    let files = maps.lines().filter_map(|line| line.find('/').map(|at| Path::new(&line[at..])));
    let shared = files
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().contains(".so")));
    let own = shared.filter_map(Path::parent).map(Path::to_path_buf);
    own.chain(LIBRARIES.iter().map(PathBuf::from)).collect()
}
