//! Folders that keep what was compiled, by its content.

use super::file_error::at;
use super::sums;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, process};

/// The environment variable that names another folder for compiled programs.
const VARIABLE: &str = "WEFT_PROGRAM_CACHE";
const FOLDER: &str = "programs/build";

/// Where simulators keep the programs of a project.
pub fn of_project() -> Result<PathBuf, String> {
    let cache = env::var_os(VARIABLE).map_or_else(|| FOLDER.into(), PathBuf::from);
    std::path::absolute(&cache).map_err(at(&cache))
}

/// Where a compiler that is called by hand keeps what it links programs with.
pub fn of_user() -> Result<PathBuf, String> {
    let named = |variable, below: &str| {
        let value = env::var_os(variable).filter(|value| !value.is_empty());
        value.map(|value| Path::new(&value).join(below))
    };
    named(VARIABLE, "")
        .or_else(|| named("XDG_CACHE_HOME", "weft/programs"))
        .or_else(|| named("HOME", ".cache/weft/programs"))
        .ok_or_else(|| format!("neither HOME nor {VARIABLE} names a folder"))
        .and_then(|path| std::path::absolute(&path).map_err(at(&path)))
}

/// The file `name` in `folder`. If it is missing, or a file of the folder is not what was compiled,
/// `make` fills a new folder that takes its place.
pub fn cached(
    folder: &Path,
    name: &str,
    make: impl FnOnce(&Path) -> Result<(), String>,
) -> Result<PathBuf, String> {
    let made = folder.join(name);
    if !is_whole(folder, &made) {
        let temporary = Temporary::new(folder)?;
        make(&temporary.0)?;
        sums::write(&temporary.0)?;
        temporary.rename(folder, &made)?;
    }
    Ok(made)
}

fn is_whole(folder: &Path, made: &Path) -> bool {
    made.is_file() && sums::are_whole(folder)
}

/// A folder that is removed when the build fails.
struct Temporary(PathBuf);

impl Temporary {
    fn new(target: &Path) -> Result<Self, String> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let end = format!("tmp-{}-{number}", process::id());
        let path = target.with_extension(end);
        fs::create_dir_all(&path).map_err(at(&path))?;
        Ok(Self(path))
    }

    /// Where another process was faster, the same content is there already. What is damaged goes.
    fn rename(self, target: &Path, made: &Path) -> Result<(), String> {
        if fs::rename(&self.0, target).is_ok() || is_whole(target, made) {
            return Ok(());
        }
        let damaged = Self(self.0.with_extension(format!("damaged-{}", process::id())));
        if target.exists() {
            fs::rename(target, &damaged.0).map_err(at(target))?;
        }
        fs::rename(&self.0, target).map_err(at(target))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
