//! The limits of a point: time, memory and output. The parent process checks them. When a limit is
//! exceeded, it asks this process by a signal which rank is running.

#![expect(unsafe_code, reason = "handlers of signals")]

use super::crash::handle;
use super::loops::Shares;
use super::report::{LastCall, die};
use crate::coroutines;
use std::fmt;
use std::fs::File;
use std::os::fd::IntoRawFd;
use std::os::raw::{c_int, c_void};
use std::sync::atomic::{AtomicI32, Ordering};

/// Asks for an answer; the pipe holds which limit is exceeded.
pub const SIGNAL: c_int = libc::SIGXCPU;

static CONTROL: AtomicI32 = AtomicI32::new(-1);

/// The limit that a point has exceeded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Over {
    Seconds(f64),
    Memory(u64),
    Output(u64),
}

impl Over {
    /// The form in which it is sent.
    pub fn bytes(self) -> [u8; 9] {
        let (kind, number) = match self {
            Over::Seconds(seconds) => (0, seconds.to_bits()),
            Over::Memory(bytes) => (1, bytes),
            Over::Output(bytes) => (2, bytes),
        };
        let mut made = [kind; 9];
        made[1..].copy_from_slice(&number.to_ne_bytes());
        made
    }

    fn read(bytes: [u8; 9]) -> Self {
        let [kind, number @ ..] = bytes;
        let number = u64::from_ne_bytes(number);
        match kind {
            0 => Over::Seconds(f64::from_bits(number)),
            1 => Over::Memory(number),
            _ => Over::Output(number),
        }
    }
}

impl fmt::Display for Over {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Over::Seconds(seconds) => write!(
                f,
                "the point reached its limit of {seconds} s: does the program end? To allow more, \
                 raise machine.simulation_timeout"
            ),
            Over::Memory(bytes) => {
                write!(f, "the point uses more than {bytes} B of memory; ")?;
                f.write_str("to allow more, raise machine.memory_limit")
            }
            Over::Output(bytes) => {
                write!(f, "the program prints or writes more than {bytes} B; ")?;
                f.write_str("to allow more, raise machine.output_limit")
            }
        }
    }
}

/// Answers questions that come over `control` from now on.
pub fn listen(control: File) {
    CONTROL.store(control.into_raw_fd(), Ordering::Relaxed);
    handle(SIGNAL, on_over);
}

extern "C" fn on_over(_: c_int, _: *mut libc::siginfo_t, _: *mut c_void) {
    let mut bytes = [0; 9];
    let control = CONTROL.load(Ordering::Relaxed);
    // The parent writes the question before it sends the signal.
    // SAFETY: the bytes are valid for writes.
    let read = unsafe { libc::read(control, bytes.as_mut_ptr().cast(), bytes.len()) };
    if read != bytes.len() as isize {
        return;
    }
    let over = Over::read(bytes);
    match (coroutines::current(), coroutines::last()) {
        (Some(rank), _) => die(format_args!("rank {rank}, {LastCall}: {over}; so far {Shares}")),
        (_, Some(rank)) => die(format_args!("rank {rank} ran last: {over}; so far {Shares}")),
        _ => die(format_args!("{over}; so far {Shares}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn an_exceeded_limit_is_read_as_it_was_sent(seconds in 0.0..1e9, number: u64) {
            for over in [Over::Seconds(seconds), Over::Memory(number), Over::Output(number)] {
                prop_assert_eq!(Over::read(over.bytes()), over);
            }
        }
    }
}
