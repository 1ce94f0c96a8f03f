//! The main loop: time passes, and ranks that may go on are resumed.

use crate::abi;
use crate::jobs::{Courses, Ends, Job};
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
    let all = Job::once(machine.ranks.len() as u32);
    drive_jobs(machine, ranks, &[all]).map(|(end, _)| end)
}

/// The same with several jobs, whose ranks follow each other. Returns when the last job with a count of
/// runs has ended, and the runs of each job.
///
/// # Errors
/// As [`drive`].
pub fn drive_jobs<T: Transport, O: Observer>(
    machine: &mut Machine<T, O>,
    ranks: &mut Ranks,
    jobs: &[Job],
) -> Result<(Time, Ends), String> {
    let mut courses = Courses::new(jobs);
    while !courses.are_cut() {
        while let Some(rank) = machine.next_ready() {
            if !std::mem::replace(&mut machine.ranks[rank as usize].has_begun, true) {
                machine.computing.begin(rank);
            }
            let thread = machine.thread(rank);
            let start = if thread > 0 { machine.ranks[rank as usize].start.take() } else { None };
            if let Some(start) = start {
                let begun = ranks.begin_thread(rank, thread, start);
                begun.map_err(|why| format!("{} cannot begin: {why}", machine.in_place(rank)))?;
                machine.computing.begin(rank);
            }
            match abi::lend(machine, || ranks.resume_thread(rank, thread)) {
                Step::Blocked => machine.has_run(rank),
                Step::ThreadEnded => machine.end_thread(rank),
                Step::Ended(0) => {
                    let computed = machine.computing.finish(rank, machine.thread(rank));
                    let computed =
                        computed.map_err(|what| format!("{}: {what}", machine.in_place(rank)))?;
                    let state = &mut machine.ranks[rank as usize];
                    state.clock += computed;
                    state.ended = true;
                    let clock = state.clock;
                    machine.end_threads(rank);
                    machine.observer.ended(rank, clock);
                    if let Some((again, at)) = courses.ended(machine, rank)? {
                        again.clone().for_each(|rank| ranks.renew(rank));
                        machine.begin_again(again, at);
                    }
                }
                Step::Ended(code) => {
                    let reason = machine.outside_calls(rank, &format!("ended with code {code}"));
                    return Err(machine.notes.beside(reason));
                }
                Step::Overflowed => {
                    let stack = EngineOption("stack");
                    let what = format!("used more than its stack; to allow more, raise {stack}");
                    return Err(machine.outside_calls(rank, &what));
                }
            }
            if machine.failure.is_some() || courses.are_cut() {
                break;
            }
        }
        let under_way = machine.failure.is_none() && !courses.are_cut() && machine.advance();
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
    match courses.have_ended() {
        true => Ok(courses.into_ends()),
        false => Err(machine.deadlock()),
    }
}

impl<T: Transport, O: Observer> Machine<T, O> {
    /// The message about what a rank did outside of its calls.
    fn outside_calls(&self, rank: u32, what: &str) -> String {
        match self.ranks[rank as usize].call {
            "" => format!("{} {what} before its first call", self.in_place(rank)),
            call => format!("{} {what}; its last call was {call}", self.in_place(rank)),
        }
    }

    /// The thread of a rank that ran last, in messages.
    pub(crate) fn in_place(&self, rank: u32) -> String {
        self.thread_name(rank, &self.ranks[rank as usize].thread)
    }
}
