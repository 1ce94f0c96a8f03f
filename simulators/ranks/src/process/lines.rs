//! What a point's process answers, line by line.

use std::io::Read;
use std::os::fd::{AsFd, BorrowedFd};

/// Most bytes of an answer.
const MOST_BYTES: usize = 16 << 20;

/// Lines that come over a pipe.
pub(super) struct Lines<R> {
    pipe: R,
    /// What has come and was not returned.
    rest: Vec<u8>,
    /// Bytes of `rest` in which no line ends.
    searched: usize,
}

impl<R: Read + AsFd> Lines<R> {
    pub fn of(pipe: R) -> Self {
        Self { pipe, rest: vec![], searched: 0 }
    }

    /// The next line, or the rest when the pipe ends; nothing if `wait` finds nothing to read.
    ///
    /// # Errors
    /// When a line is too long.
    pub fn next(&mut self, wait: impl Fn(BorrowedFd) -> bool) -> Result<Option<Vec<u8>>, String> {
        let mut chunk = [0; 4096];
        loop {
            let end = self.rest[self.searched..].iter().position(|&byte| byte == b'\n');
            if let Some(end) = end {
                let line = self.rest.drain(..=self.searched + end).collect();
                self.searched = 0;
                return Ok(Some(line));
            }
            self.searched = self.rest.len();
            if self.searched > MOST_BYTES {
                return Err(format!(
                    "the point's process answers more than {MOST_BYTES} B: its program writes where \
                     only results belong"
                ));
            }
            if !wait(self.pipe.as_fd()) {
                return Ok(None);
            }
            match self.pipe.read(&mut chunk) {
                Ok(0) | Err(_) => return Ok(Some(std::mem::take(&mut self.rest))),
                Ok(count) => self.rest.extend_from_slice(&chunk[..count]),
            }
        }
    }
}
