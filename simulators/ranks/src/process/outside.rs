//! Reads from outside which rank ran last in a point's process that does not answer: its rank may block
//! all signals.

use crate::coroutines;
use std::fs::{File, read_link, read_to_string};
use std::os::unix::fs::FileExt;

/// The rank that ran last in another process of this executable, where the system allows to read it.
pub(super) fn last_rank(process: u32) -> Option<u32> {
    // The same offset in the same executable, which the system loads at another address each time.
    let place = coroutines::last_address() - start(std::process::id())? + start(process)?;
    let mut bytes = [0; 4];
    let memory = File::open(format!("/proc/{process}/mem")).ok()?;
    memory.read_exact_at(&mut bytes, place as u64).ok()?;
    coroutines::rank_of(u32::from_ne_bytes(bytes))
}

/// Where the executable begins in the memory of a process.
fn start(process: u32) -> Option<usize> {
    let executable = read_link(format!("/proc/{process}/exe")).ok()?;
    let maps = read_to_string(format!("/proc/{process}/maps")).ok()?;
    let name = executable.to_str()?;
    let line = maps.lines().find(|line| line.ends_with(name))?;
    usize::from_str_radix(line.split('-').next()?, 16).ok()
}
