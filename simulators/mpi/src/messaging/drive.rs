//! The main loop: time passes, ranks that may go on are resumed.

#![expect(unsafe_code, reason = "memory of the program")]

use super::machine::Machine;
use crate::abi;
use crate::observer::Observer;
use crate::time::Time;
use crate::transport::Transport;
use ranks::{Ranks, Step};

/// Runs a program to its end. Returns the time of the slowest rank; the network is empty then.
///
/// # Errors
/// When a rank calls something wrongly, fails, or waits for what will never happen: with the rank,
/// its call and the reason.
pub fn drive<T: Transport, O: Observer>(
    machine: &mut Machine<T, O>,
    ranks: &mut Ranks,
) -> Result<Time, String> {
    let machine: *mut Machine<T, O> = machine;
    let bound = abi::bind(machine);
    // SAFETY: `machine` is exclusively ours. Ranks reach it through `bound`, while they run only,
    // and nothing here borrows it while a rank runs.
    let now = || unsafe { &mut *machine };
    let mut left = now().ranks.len();
    loop {
        while let Some(rank) = now().next_ready() {
            match ranks.resume(rank) {
                Step::Blocked => {}
                Step::Ended(0) => {
                    now().ranks[rank as usize].ended = true;
                    left -= 1;
                }
                Step::Ended(code) => {
                    return Err(now().told(rank, &format!("ended with code {code}")));
                }
                Step::Overflowed => {
                    let what = "used more stack than it has; the option `stack` gives more";
                    return Err(now().told(rank, what));
                }
            }
            if now().failure.is_some() {
                break;
            }
        }
        let under_way = now().failure.is_none() && now().advance();
        if now().failure.is_some() {
            return Err(now().failure.take().unwrap_or_default());
        }
        if now().touches_memory() {
            now().touch_memory(|rank, address| ranks.translate(rank, address));
        }
        if !under_way {
            break;
        }
    }
    drop(bound);
    match left {
        0 => Ok(now().ranks.iter().map(|rank| rank.clock).max().unwrap_or(0)),
        _ => Err(now().deadlock()),
    }
}

impl<T: Transport, O: Observer> Machine<T, O> {
    /// What a rank did outside of its calls.
    fn told(&self, rank: u32, what: &str) -> String {
        match self.ranks[rank as usize].call {
            "" => format!("rank {rank} {what} before its first call"),
            call => format!("rank {rank} {what}; its last call was {call}"),
        }
    }
}
