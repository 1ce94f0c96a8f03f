//! What a point's process uses, and all that it has started.

use engine::resident_bytes;
use std::collections::{HashMap, HashSet};
use std::fs::{read_dir, read_to_string};
use std::os::unix::fs::MetadataExt;

use super::folder::room_bytes;

/// Resident memory of the process, and of the compiler that it has started.
pub(super) fn memory_bytes(process: u32) -> u64 {
    all(process).into_iter().map(|each| resident_bytes(&each.to_string())).sum()
}

/// Bytes of files that the process has open or mapped and that have no name any more.
pub(super) fn unlinked_bytes(process: u32) -> u64 {
    let open = read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
    let files = open.filter_map(|entry| {
        let found = std::fs::metadata(entry.path()).ok()?;
        (found.is_file() && found.nlink() == 0).then(|| ((found.dev(), found.ino()), found))
    });
    // A file may be open more than once.
    let files: HashMap<_, _> = files.collect();
    let known: HashSet<u64> = files.keys().map(|&(_, inode)| inode).collect();
    files.values().map(room_bytes).sum::<u64>() + mapped_bytes(process, &known)
}

/// Bytes of files without a name that the process shares by maps alone, but for the `known` ones:
/// what of them is in memory or swapped, for the kernel tells no more.
fn mapped_bytes(process: u32, known: &HashSet<u64>) -> u64 {
    let is_unlinked =
        |line: &str| unlinked_inode(line).is_some_and(|inode| !known.contains(&inode));
    let maps = read_to_string(format!("/proc/{process}/maps")).unwrap_or_default();
    // What is in memory takes long to count.
    if !maps.lines().any(is_unlinked) {
        return 0;
    }
    let counted = read_to_string(format!("/proc/{process}/smaps")).unwrap_or_default();
    let (mut counts, mut bytes) = (false, 0);
    for line in counted.lines() {
        match line.split_once(':') {
            Some(("Rss" | "Swap", size)) if counts => bytes += kilobytes(size) * 1024,
            Some((name, _)) if !name.contains(' ') => (),
            _ => counts = is_unlinked(line),
        }
    }
    bytes
}

/// The number of the file that a line of `maps` shares with others, if it has no name any more.
/// Shared memory without a file is memory.
fn unlinked_inode(line: &str) -> Option<u64> {
    let path = line.strip_suffix(" (deleted)")?;
    let mut words = path.split_ascii_whitespace();
    let (access, inode) = (words.nth(1)?, words.nth(2)?);
    let name = words.next()?;
    let is_memory = ["/dev/zero", "/memfd:", "/SYSV"].iter().any(|each| name.starts_with(each));
    (access.ends_with('s') && !is_memory).then(|| inode.parse().ok())?
}

fn kilobytes(size: &str) -> u64 {
    size.trim().trim_end_matches("kB").trim_end().parse().unwrap_or(0)
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

#[cfg(test)]
mod tests {
    use super::unlinked_inode;

    #[test]
    fn only_shared_files_without_a_name_are_unlinked() {
        let line = |access: &str, name: &str| {
            format!("7f0000000000-7f0000001000 {access} 00000000 fe:00 4711                 {name}")
        };
        assert_eq!(unlinked_inode(&line("rw-s", "/files/a (deleted)")), Some(4711));
        assert_eq!(unlinked_inode(&line("r--s", "/files/a b (deleted)")), Some(4711));
        for (access, name) in [
            ("rw-s", "/files/a"),
            ("rw-p", "/files/a (deleted)"),
            ("rw-s", "/dev/zero (deleted)"),
            ("rw-s", "/memfd:x (deleted)"),
            ("rw-s", "/SYSV00000000 (deleted)"),
        ] {
            assert_eq!(unlinked_inode(&line(access, name)), None);
        }
    }
}
