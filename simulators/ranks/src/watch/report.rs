//! The answer of a process that a program has brought down. A signal handler writes it, so it uses
//! neither the heap nor locks nor the standard library's output.

#![expect(unsafe_code, reason = "handlers of signals")]

use crate::names;
use std::collections::HashSet;
use std::fmt::{self, Write};
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Exit code of a process that reported why it ended.
const REPORTED: i32 = 9;

/// Bytes of a reason or of a line.
const LONGEST: usize = 1024;

static ANSWER: AtomicI32 = AtomicI32::new(-1);

/// Sets the descriptor to which answers are written.
pub fn set_answer(descriptor: RawFd) {
    ANSWER.store(descriptor, Ordering::Relaxed);
}

/// Whether this process belongs to one point, whose answer its parent awaits.
pub(crate) fn is_of_one_point() -> bool {
    ANSWER.load(Ordering::Relaxed) >= 0
}

/// A text of limited length; the rest is dropped.
struct Text {
    bytes: [u8; LONGEST],
    length: usize,
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        names::pieces(text, |piece| piece.bytes().for_each(|byte| self.push(byte)));
        Ok(())
    }
}

impl Text {
    fn push(&mut self, byte: u8) {
        // Names of calls and signals contain nothing that JSON escapes.
        let plain = if matches!(byte, b'"' | b'\\') || byte < b' ' { b'?' } else { byte };
        if let Some(place) = self.bytes.get_mut(self.length) {
            *place = plain;
            self.length += 1;
        }
    }
}

/// Answers with this error and ends the process at once.
pub fn die(reason: fmt::Arguments) -> ! {
    let mut text = Text { bytes: [0; LONGEST], length: 0 };
    let _ = text.write_fmt(reason);
    put(b"{\"error\":\"");
    put(&text.bytes[..text.length]);
    put(b"\"}\n");
    // SAFETY: ends the process without running its exit handlers.
    unsafe { libc::_exit(REPORTED) }
}

/// Writes a line to the log while a program runs.
pub(super) fn say(what: fmt::Arguments) {
    let mut text = Text { bytes: [0; LONGEST], length: 0 };
    let _ = text.write_fmt(what);
    let end = text.length.min(text.bytes.len() - 1);
    text.bytes[end] = b'\n';
    // SAFETY: the bytes are valid for reads. A closed standard error loses the line.
    unsafe { libc::write(libc::STDERR_FILENO, text.bytes.as_ptr().cast(), end + 1) };
}

/// Writes a line beside the answer: how this process is confined, before it loads a program.
pub(crate) fn write_beside(line: &str) {
    put(line.as_bytes());
    put(b"\n");
}

fn put(mut bytes: &[u8]) {
    let descriptor = ANSWER.load(Ordering::Relaxed);
    while !bytes.is_empty() {
        // SAFETY: the bytes are valid for reads.
        let written = unsafe { libc::write(descriptor, bytes.as_ptr().cast(), bytes.len()) };
        match usize::try_from(written) {
            Ok(count) if count > 0 => bytes = &bytes[count..],
            _ => return,
        }
    }
}

/// Notes about the program, for the results.
static NOTED: Mutex<Vec<String>> = Mutex::new(vec![]);

/// Writes a note about the program to the log, and keeps it for the results.
pub fn note(what: &str) {
    eprintln!("{what}");
    NOTED.lock().unwrap_or_else(PoisonError::into_inner).push(what.into());
}

/// All notes so far, each once.
pub(crate) fn notes() -> Vec<String> {
    let mut all = NOTED.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let mut seen = HashSet::new();
    all.retain(|what| seen.insert(what.clone()));
    all
}

/// What the program's library said of the program: it may be why a rank gave up.
static NOTES: [OnceLock<&'static str>; 4] = [const { OnceLock::new() }; 4];

/// Keeps a note for reasons, once each; there are few.
pub fn keep_note(what: &'static str) {
    for place in &NOTES {
        if *place.get_or_init(|| what) == what {
            return;
        }
    }
}

/// The notes that were kept, as the end of a sentence.
pub(super) struct Notes;

impl fmt::Display for Notes {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        NOTES.iter().filter_map(OnceLock::get).try_for_each(|what| write!(f, "; {what}"))
    }
}

/// The last call of the running rank, as the end of a sentence.
pub struct LastCall;

impl fmt::Display for LastCall {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match crate::coroutines::last_call() {
            "" => f.write_str("before its first call"),
            call => write!(f, "last call {call}"),
        }
    }
}
