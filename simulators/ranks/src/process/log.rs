//! What a point's process prints: passed on to the log, and counted.

#![expect(unsafe_code, reason = "system calls")]

use std::io::{Read, Write};
use std::os::fd::{AsRawFd, BorrowedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Output of one point's program that goes to the log.
const LOG_BYTES: usize = 64 << 10;
/// Between two looks at whether the process has ended.
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
    /// Printed bytes at most; when there are more, `too_much` is set.
    pub limit_bytes: u64,
    pub too_much: &'a AtomicBool,
}

impl Log<'_> {
    /// Lines to standard error, each with its point, until there are too many. Returns at the end of
    /// `output`; or when `ended` is set, and what may still hold the output writes nothing.
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
                    // Takes what a program writes without ends of lines in pieces.
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
