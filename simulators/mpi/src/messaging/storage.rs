//! The storage that holds the files of a program: one server that all ranks share.

use crate::files::Files;
use crate::time::{self, Time};
use std::collections::HashMap;

/// Serves accesses in the order in which they begin, each at the full bandwidth. The latency comes on top
/// of each and keeps no other access waiting. It has no cache.
#[derive(Debug)]
pub struct Storage {
    pub files: Files,
    pub latency: Time,
    pub bytes_per_s: f64,
    /// When it has moved the data of all accesses so far.
    free: Time,
    accesses: u64,
    bytes: u64,
    /// What the members of a communicator share in the library of calls, an address.
    shared: HashMap<u32, Box<usize>>,
}

impl Default for Storage {
    /// Accesses take no time.
    fn default() -> Self {
        Self::new(Files::Modelled, 0, f64::INFINITY)
    }
}

impl Storage {
    pub fn new(files: Files, latency: Time, bytes_per_s: f64) -> Self {
        Self { files, latency, bytes_per_s, free: 0, accesses: 0, bytes: 0, shared: HashMap::new() }
    }

    /// When an access of so many bytes that begins now is complete. Accesses must begin in the order of
    /// time. One without data only takes the latency.
    pub fn access(&mut self, now: Time, bytes: u64) -> Time {
        self.accesses += 1;
        self.bytes += bytes;
        if bytes == 0 {
            return now.saturating_add(self.latency);
        }
        let moved = time::of_bytes(bytes, self.bytes_per_s);
        self.free = self.free.max(now).saturating_add(moved);
        self.free.saturating_add(self.latency)
    }

    /// The pointer that all members of a communicator share; 0 before one of them sets it.
    pub fn common(&mut self, communicator: u32) -> *mut usize {
        &mut **self.shared.entry(communicator).or_default()
    }

    /// How often ranks have used it, and how many bytes they have read and written.
    pub fn used(&self) -> (u64, u64) {
        (self.accesses, self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_share_the_bandwidth_and_each_has_the_latency() {
        let mut storage = Storage::new(Files::Modelled, 100, 1e12);
        assert_eq!(storage.access(0, 1000), 1100);
        // It waits for the first one, not for the latency of it.
        assert_eq!(storage.access(10, 500), 1600);
        assert_eq!(storage.access(20, 0), 120);
        assert_eq!(storage.access(5000, 500), 5600);
        assert_eq!(storage.used(), (4, 2000));
    }
}
