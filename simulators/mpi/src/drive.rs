//! The main loop: time passes, and ranks that may go on are resumed.

use crate::abi;
use crate::messaging::Machine;
use crate::observer::Observer;
use crate::time::Time;
use crate::transport::Transport;
use ranks::{EngineOption, Ranks, Step};

/// Runs a program to its end, until the network is empty. Returns the time of the slowest rank.
///
/// # Errors
/// When a rank makes a wrong call, fails, or waits for what never happens. The error names the rank, its
/// call and the reason.
pub fn drive<T: Transport, O: Observer>(
    machine: &mut Machine<T, O>,
    ranks: &mut Ranks,
) -> Result<Time, String> {
    let mut left = machine.ranks.len();
    loop {
        while let Some(rank) = machine.next_ready() {
            if !std::mem::replace(&mut machine.ranks[rank as usize].has_begun, true) {
                machine.computing.begin(rank);
            }
            match abi::lend(machine, || ranks.resume(rank)) {
                Step::Blocked => {}
                Step::Ended(0) => {
                    let computed = machine.computing.finish(rank);
                    let computed = computed.map_err(|what| format!("rank {rank}: {what}"))?;
                    let state = &mut machine.ranks[rank as usize];
                    state.clock += computed;
                    state.ended = true;
                    left -= 1;
                }
                Step::Ended(code) => {
                    return Err(machine.outside_calls(rank, &format!("ended with code {code}")));
                }
                Step::Overflowed => {
                    let stack = EngineOption("stack");
                    let what = format!("used more than its stack; to allow more, raise {stack}");
                    return Err(machine.outside_calls(rank, &what));
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
    /// The message about what a rank did outside of its calls.
    fn outside_calls(&self, rank: u32, what: &str) -> String {
        match self.ranks[rank as usize].call {
            "" => format!("rank {rank} {what} before its first call"),
            call => format!("rank {rank} {what}; its last call was {call}"),
        }
    }
}
