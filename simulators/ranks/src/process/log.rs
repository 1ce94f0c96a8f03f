//! Copies what a point's process prints to the log, and counts it.

#![expect(unsafe_code, reason = "system calls")]

use std::io::{Read, Write};
use std::os::fd::{AsRawFd, BorrowedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Most bytes of one point's output that go to the log.
const LOG_BYTES: usize = 64 << 10;
/// Time between two checks whether the process has ended.
const LOOK: Duration = Duration::from_millis(100);

/// Waits until there is something to read, for `wait` at most.
pub(super) fn is_readable(file: BorrowedFd, wait: Duration) -> bool {
    let mut look = libc::pollfd { fd: file.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    let milliseconds = i32::try_from(wait.as_millis()).unwrap_or(i32::MAX).saturating_add(1);
    // SAFETY: one descriptor, valid for writes.
    unsafe { libc::poll(&mut look, 1, milliseconds) > 0 }
}

/// The log of one point.
pub(super) struct Log<'a> {
    pub point_id: &'a str,
    /// Most bytes that the program may print; beyond it `too_much` is set.
    pub limit_bytes: u64,
    pub too_much: &'a AtomicBool,
}

impl Log<'_> {
    /// Writes lines to standard error, each with its point, until there are too many. Returns at the end
    /// of `output`. It also returns when `ended` is set and nothing more comes: a process that the program
    /// has started may keep the output open.
    pub fn pass_on<R: Read + std::os::fd::AsFd>(&self, mut output: R, ended: &AtomicBool) {
        let (mut chunk, mut line) = (vec![0; LOG_BYTES], Vec::new());
        let (mut printed, mut passed) = (0_u64, 0);
        loop {
            if !is_readable(output.as_fd(), LOOK) {
                if ended.load(Ordering::Relaxed) {
                    break;
                }
                continue;
            }
            let count = match output.read(&mut chunk) {
                Ok(0) | Err(_) => break,
                Ok(count) => count,
            };
            printed += count as u64;
            if printed > self.limit_bytes {
                self.too_much.store(true, Ordering::Relaxed);
            }
            if printed > self.limit_bytes && ended.load(Ordering::Relaxed) {
                break;
            }
            for piece in chunk[..count].split_inclusive(|&byte| byte == b'\n') {
                if passed <= LOG_BYTES {
                    line.extend_from_slice(piece);
                    // Output without ends of lines is written in pieces.
                    if line.ends_with(b"\n") || line.len() >= LOG_BYTES {
                        self.write(&mut line, &mut passed);
                    }
                }
            }
        }
        if !line.is_empty() {
            self.write(&mut line, &mut passed);
        }
    }

    fn write(&self, line: &mut Vec<u8>, passed: &mut usize) {
        *passed += line.len();
        let words = String::from_utf8_lossy(line);
        let id = self.point_id;
        let mut errors = std::io::stderr().lock();
        let _ = writeln!(errors, "point {id}: {}", words.strip_suffix('\n').unwrap_or(&words));
        if *passed > LOG_BYTES {
            let _ = writeln!(
                errors,
                "point {id}: its program prints more than {LOG_BYTES} B; the rest is left out"
            );
        }
        line.clear();
    }
}
