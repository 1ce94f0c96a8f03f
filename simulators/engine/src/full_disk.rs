//! A full disk is no failure of a point: the shard stops, and its next run computes the point again.
//!
//! Writers of tables report their errors as sentences, like every other failure of a point. So the
//! process remembers here that one of them was a full disk.

use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The first file for which there was no space.
static FULL: OnceLock<FullDisk> = OnceLock::new();

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason} while writing {path}: free some space, then run the same command again", path = path.display())]
pub struct FullDisk {
    path: PathBuf,
    reason: String,
}

impl FullDisk {
    /// The full disk that `error` is about, if it is about one.
    pub fn of(path: &Path, error: &Error) -> Option<Self> {
        let reason = match error.kind() {
            ErrorKind::StorageFull => "no space left on device",
            ErrorKind::QuotaExceeded => "disk quota exceeded",
            _ => return None,
        };
        Some(Self { path: path.to_path_buf(), reason: reason.into() })
    }

    /// What a writer of this process has met.
    pub fn met() -> Option<Self> {
        FULL.get().cloned()
    }
}

/// Remembers a full disk; whether `error` is about one.
pub fn note_full_disk(path: &Path, error: &Error) -> bool {
    let full = FullDisk::of(path, error);
    full.map(|full| FULL.set(full)).is_some()
}
