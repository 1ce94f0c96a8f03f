//! The tables that a point's process sends, until it has ended.

use super::log::is_readable;
use engine::TableReceiver;
use std::fs::File;
use std::io::Read;
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Time between two checks whether the process has ended.
const LOOK: Duration = Duration::from_millis(100);
const CHUNK_BYTES: usize = 64 << 10;

/// What became of them.
#[derive(Debug, Default)]
pub(super) struct Tables {
    problem: Mutex<Option<String>>,
}

impl Tables {
    /// Why they are of no use; nothing as long as nothing is wrong.
    pub fn problem(&self) -> Option<String> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Writes what comes, to its end or to the first problem. It also returns when `ended` is set and
    /// nothing more comes: a process that the program has started may keep the pipe open.
    pub fn receive(&self, mut pipe: File, ended: &AtomicBool, mut receiver: TableReceiver) {
        let mut chunk = vec![0; CHUNK_BYTES];
        let taken = loop {
            if !is_readable(pipe.as_fd(), LOOK) {
                if ended.load(Ordering::Relaxed) {
                    break receiver.end();
                }
                continue;
            }
            match pipe.read(&mut chunk) {
                Ok(0) | Err(_) => break receiver.end(),
                Ok(count) => {
                    if let Err(problem) = receiver.take(&chunk[..count]) {
                        break Err(problem);
                    }
                }
            }
        };
        *self.problem.lock().unwrap_or_else(PoisonError::into_inner) = taken.err();
    }
}
