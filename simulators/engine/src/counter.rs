//! Counters of the processor.

#![expect(unsafe_code, reason = "asks the system")]

use std::fs::File;
use std::io::{Error, Read};
use std::os::fd::FromRawFd;

/// The words of `struct perf_event_attr` of Linux 4.1, which later versions take as well.
const WORDS: usize = 14;
const HARDWARE: u64 = 0;
const INSTRUCTIONS: u64 = 1;
/// Its flags `pinned`, `exclude_kernel` and `exclude_hv`.
const FLAGS: u64 = 1 << 2 | 1 << 5 | 1 << 6;

/// Counts the instructions of the thread that has made it, without those of the kernel.
#[derive(Debug)]
pub struct Instructions(File);

impl Instructions {
    /// # Errors
    /// When the processor has no such counter, or the system does not show it.
    pub fn of_thread() -> Result<Self, String> {
        let mut order = [0_u64; WORDS];
        order[0] = HARDWARE | (size_of_val(&order) as u64) << 32;
        order[1] = INSTRUCTIONS;
        order[5] = FLAGS;
        let (this_thread, any_processor, no_group, no_flags) = (0, -1, -1, 0);
        // SAFETY: `order` is a valid `perf_event_attr` of the size that it names.
        let file = unsafe {
            libc::syscall(
                libc::SYS_perf_event_open,
                order.as_ptr(),
                this_thread,
                any_processor,
                no_group,
                no_flags,
            )
        };
        match i32::try_from(file) {
            // SAFETY: the system has just opened this file, and nothing else uses it.
            Ok(file) if file >= 0 => Ok(Self(unsafe { File::from_raw_fd(file) })),
            _ => Err(format!(
                "this machine has no counter of instructions: perf_event_open: {}",
                Error::last_os_error()
            )),
        }
    }

    /// Instructions so far; 0 if the counter has stopped.
    pub fn count(&self) -> u64 {
        let mut bytes = [0; 8];
        match (&self.0).read_exact(&mut bytes) {
            Ok(()) => u64::from_ne_bytes(bytes),
            Err(_) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_counted_or_their_counter_is_missed() {
        match Instructions::of_thread() {
            Ok(counter) => {
                let before = counter.count();
                let sum = (0..100_000_u64).fold(0, |sum, each| std::hint::black_box(sum ^ each));
                assert!(counter.count() - before >= 100_000 + (sum & 1));
            }
            Err(why) => assert!(why.contains("no counter of instructions: perf_event"), "{why}"),
        }
    }
}
