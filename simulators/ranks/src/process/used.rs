//! What a point's process uses, and all that it has started.

use engine::resident_bytes;
use std::fs::{read_dir, read_to_string};
use std::os::unix::fs::MetadataExt;

use super::folder::room_bytes;

/// Resident memory of the process, and of the compiler that it has started.
pub(super) fn memory_bytes(process: u32) -> u64 {
    all(process).into_iter().map(|each| resident_bytes(&each.to_string())).sum()
}

/// Bytes of files that the process has open and that have no name any more.
pub(super) fn unlinked_bytes(process: u32) -> u64 {
    let open = read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
    let files = open.filter_map(|entry| {
        let found = std::fs::metadata(entry.path()).ok()?;
        (found.is_file() && found.nlink() == 0).then(|| ((found.dev(), found.ino()), found))
    });
    // A file may be open more than once.
    let files: std::collections::HashMap<_, _> = files.collect();
    files.values().map(room_bytes).sum()
}

/// The process and all below it.
fn all(process: u32) -> Vec<u32> {
    let (mut found, mut next) = (vec![process], 0);
    while let Some(&each) = found.get(next) {
        next += 1;
        let tasks = read_dir(format!("/proc/{each}/task")).into_iter().flatten().flatten();
        for task in tasks {
            let children = read_to_string(task.path().join("children")).unwrap_or_default();
            found.extend(
                children.split_ascii_whitespace().filter_map(|word| word.parse::<u32>().ok()),
            );
        }
    }
    found
}
