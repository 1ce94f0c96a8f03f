//! Limits of a point: time, memory, output.

#![expect(unsafe_code, reason = "asks the system")]

use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Duration;

/// Limits of one point. The defaults hold if the shard gives none.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// Wall-clock time.
    pub timeout_s: f64,
    /// Resident memory of the process that computes the point. By default, nine tenths of the memory that
    /// the process may use.
    pub memory_bytes: Option<u64>,
    /// What the point's program prints.
    pub output_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { timeout_s: 3600.0, memory_bytes: None, output_bytes: 64 << 20 }
    }
}

impl Limits {
    pub fn timeout(&self) -> Duration {
        Duration::try_from_secs_f64(self.timeout_s).unwrap_or(Duration::MAX)
    }

    pub fn memory(&self) -> u64 {
        self.memory_bytes.unwrap_or_else(|| available_bytes() / 10 * 9)
    }
}

/// Memory that this process may use: the machine's, or less if its control groups limit it.
fn available_bytes() -> u64 {
    let text = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
    let memory = text(Path::new("/proc/meminfo"));
    let kibibytes = memory.lines().find_map(|line| {
        line.strip_prefix("MemTotal:")?.trim().strip_suffix("kB")?.trim().parse().ok()
    });
    let machine = kibibytes.map_or(u64::MAX, |kibibytes: u64| kibibytes.saturating_mul(1024));
    let groups = text(Path::new("/proc/self/cgroup"));
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/")).unwrap_or_default();
    let root = Path::new("/sys/fs/cgroup");
    let limits = root.join(own);
    let limits = limits.ancestors().take_while(|folder| folder.starts_with(root));
    let limits = limits.filter_map(|folder| text(&folder.join("memory.max")).trim().parse().ok());
    limits.min().map_or(machine, |group: u64| group.min(machine))
}

/// Resident memory of a process, by its number or `self`; 0 if the system does not report it.
pub fn resident_bytes(process: &str) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    let pages: u64 = text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0);
    // SAFETY: asks for a number.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    pages * page as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_may_use_more_than_it_does() {
        let used = resident_bytes("self");
        assert!(0 < used && used < available_bytes());
        assert!(Limits::default().memory() < available_bytes());
    }
}
