//! The main loop: time passes, ranks that may go on are resumed.

use crate::abi;
use crate::messaging::Machine;
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
    let mut left = machine.ranks.len();
    loop {
        while let Some(rank) = machine.next_ready() {
            match abi::lend(machine, || ranks.resume(rank)) {
                Step::Blocked => {}
                Step::Ended(0) => {
                    machine.ranks[rank as usize].ended = true;
                    left -= 1;
                }
                Step::Ended(code) => {
                    return Err(machine.told(rank, &format!("ended with code {code}")));
                }
                Step::Overflowed => {
                    let what = "used more stack than it has; the option `stack` gives more";
                    return Err(machine.told(rank, what));
                }
            }
            if machine.failure.is_some() {
                break;
            }
        }
        let under_way = machine.failure.is_none() && machine.advance();
        if machine.failure.is_some() {
            return Err(machine.failure.take().unwrap_or_default());
        }
        if machine.touches_memory() {
            machine.touch_memory(|rank, address| ranks.translate(rank, address));
        }
        if !under_way {
            break;
        }
    }
    match left {
        0 => Ok(machine.ranks.iter().map(|rank| rank.clock).max().unwrap_or(0)),
        _ => Err(machine.deadlock()),
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
