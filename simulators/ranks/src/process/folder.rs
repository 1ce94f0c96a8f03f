//! The folder in which the program of a point runs. It finds the files of the experiment there, and may
//! write others.

use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// The environment variable that names a folder which keeps what programs write, in a folder for each
/// point.
const VARIABLE: &str = "WEFT_PROGRAM_FILES";

/// The system counts room on the disk in these.
const BLOCK_BYTES: u64 = 512;

/// Of the point to which this process belongs.
static FOLDER: OnceLock<PathBuf> = OnceLock::new();

/// A folder that is removed in the end, unless the environment asks for what programs write.
pub(super) struct WorkingFolder {
    path: PathBuf,
    is_kept: bool,
}

impl WorkingFolder {
    pub fn new(point_id: &str) -> io::Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let kept = std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty());
        let path = match &kept {
            Some(folder) => Path::new(folder).join(point_id),
            None => std::env::temp_dir().join(format!(
                "weft-run-{}-{}",
                std::process::id(),
                NUMBER.fetch_add(1, Ordering::Relaxed)
            )),
        };
        let path = std::path::absolute(path)?;
        fs::create_dir_all(&path)?;
        Ok(Self { path, is_kept: kept.is_some() })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of all files in it.
    pub fn size_bytes(&self) -> u64 {
        size_bytes(&self.path)
    }
}

impl Drop for WorkingFolder {
    fn drop(&mut self) {
        if !self.is_kept {
            // What is left behind harms nobody.
            let _ = remove(&self.path);
        }
    }
}

/// Removes a folder with all that a program has made in it, also what it has closed to everybody.
fn remove(folder: &Path) -> io::Result<()> {
    fs::remove_dir_all(folder).or_else(|_| {
        open_to_us(folder);
        fs::remove_dir_all(folder)
    })
}

fn open_to_us(folder: &Path) {
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        // It follows no link.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_to_us(&entry.path());
        }
    }
}

/// What a file counts: a hole in it takes no room.
pub(super) fn room_bytes(file: &Metadata) -> u64 {
    file.len().min(file.blocks() * BLOCK_BYTES)
}

fn size_bytes(folder: &Path) -> u64 {
    // Read whole first: a program could nest more folders than a process may hold open.
    let entries: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().collect();
    let sizes = entries.into_iter().map(|entry| match entry.metadata() {
        Ok(found) if found.is_dir() => size_bytes(&entry.path()),
        Ok(found) => room_bytes(&found),
        Err(_) => 0,
    });
    sizes.sum()
}

/// Sets the folder of this process's point.
pub(super) fn set(path: PathBuf) {
    let _ = FOLDER.set(path);
}

/// Puts these files into the folder of the point, by their paths from there, and makes it the current
/// one. Does nothing in a process that does not belong to one point.
///
/// # Errors
/// When a file cannot be written.
pub fn enter(files: &[(PathBuf, Vec<u8>)]) -> Result<Option<&'static Path>, String> {
    let Some(folder) = FOLDER.get() else { return Ok(None) };
    let failed = |path: &Path, error: io::Error| format!("{}: {error}", path.display());
    for (name, content) in files {
        let path = folder.join(name);
        let above = path.parent().unwrap_or(folder);
        fs::create_dir_all(above).map_err(|error| failed(above, error))?;
        fs::write(&path, content).map_err(|error| failed(&path, error))?;
    }
    std::env::set_current_dir(folder).map_err(|error| failed(folder, error))?;
    Ok(Some(folder))
}
