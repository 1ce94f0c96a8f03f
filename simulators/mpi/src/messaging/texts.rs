//! Messages about ranks that wait and about wrong calls.

use super::communicators::Communicators;
use super::contexts::{communicator_of, is_hidden};
use super::machine::Machine;
use super::message::Message;
use super::queues::Divided;
use super::request::{ANY_SOURCE, ANY_TAG, Request};
use super::thread::Thread;
use super::thread::Waiting;
use crate::observer::Observer;
use crate::time::{Time, to_seconds};
use crate::transport::Transport;
use std::collections::HashSet;
use std::ops::Range;

/// How many waiting ranks a message names.
const NAMED: usize = 4;

impl Thread {
    /// The call that the program made: the collective if it is in one.
    pub fn call_name(&self) -> &'static str {
        match self.collective {
            "" => self.call,
            collective => collective,
        }
    }
}

impl<T: Transport, O: Observer> Machine<T, O> {
    /// Ends the run: a message is larger than the room of its receive.
    #[cold]
    pub(super) fn does_not_fit(&mut self, request: u32, number: u32) {
        let (message, found) = (&self.messages[number], &self.requests[request]);
        let text = format!(
            "{}: {}: the message of {} B from rank {} with tag {} does not fit in {} B",
            self.rank_name(found.rank),
            self.ranks[found.rank as usize].call_name(),
            message.bytes,
            message.source,
            message.tag,
            found.bytes
        );
        self.failure.get_or_insert(text);
    }

    /// What a rank waits for, as `rank 3 waits in MGEN_Recv for …`; None if it does not wait.
    pub fn waiting_for(&self, number: u32) -> Option<String> {
        self.waits(number, &self.ranks[number as usize].thread)
    }

    /// The same of one of its threads.
    fn waits(&self, number: u32, thread: &Thread) -> Option<String> {
        let what = match thread.waiting {
            Waiting::No => return None,
            Waiting::Clock => "until its own computing ends".into(),
            Waiting::All | Waiting::Any => self.awaited(number, thread),
            Waiting::Change => "for a change that never comes: it polls in a loop".into(),
            Waiting::Probe { context, source, tag } => {
                format!("for {}", message(source, tag, (&self.communicators, context)))
            }
            Waiting::Put { tag } => format!("for a put with tag {tag}"),
            Waiting::Handle(place) => {
                let handle = &self.handles[place];
                match handle.gets {
                    true => {
                        format!("for the data of its get from {}", self.rank_name(handle.other))
                    }
                    false => {
                        format!("for the end of its put to {}", self.rank_name(handle.other))
                    }
                }
            }
            Waiting::Head(place) => {
                let found = describe(&self.requests[place], &self.communicators);
                format!("for the head of {found}")
            }
            Waiting::Members { communicator } => format!(
                "for {} more ranks of {} to call it",
                self.communicators.absent(communicator),
                self.communicators.name(communicator)
            ),
            Waiting::Thread(_) => "for another thread of its rank".into(),
        };
        let name = self.thread_name(number, thread);
        Some(format!("{name} waits in {} {what}", thread.call_name()))
    }

    /// A thread of a rank in messages: `rank 3`, or `rank 3, thread 1`.
    pub(crate) fn thread_name(&self, rank: u32, thread: &Thread) -> String {
        match thread.number {
            0 => self.rank_name(rank),
            number => format!("{}, thread {number}", self.rank_name(rank)),
        }
    }

    fn awaited(&self, rank: u32, thread: &Thread) -> String {
        let any = thread.waiting == Waiting::Any;
        let own = |r: &Request| r.rank == rank && r.thread == thread.number;
        let waits = |r: &&Request| r.live && r.awaited && !r.done && own(r);
        let mut requests = self.requests.iter().filter(waits);
        let first = requests.next().map_or_else(String::new, |r| describe(r, &self.communicators));
        match (requests.count(), any) {
            (0, _) => format!("for {first}"),
            (more, true) => format!("for {first} or one of {more} others"),
            (more, false) => format!("for {first} and {more} others"),
        }
    }

    /// How many messages no rank has received, and the first of them; None if there are none. Leaves
    /// out the ranks in `cut`: a job that was stopped had no chance to receive its last messages.
    pub fn unreceived(&self, cut: &[Range<u32>]) -> Option<String> {
        let ranks = || (0..).zip(&self.ranks);
        let whole = || ranks().filter(|(rank, _)| !cut.iter().any(|each| each.contains(rank)));
        let queues = || whole().map(|(_, rank)| &rank.unexpected);
        let found = queues().find_map(|queue| queue.find_any(&self.messages, |_| true))?;
        let Message { src, dst, bytes, tag, .. } = self.messages[found.at];
        let (src, dst) = (self.rank_name(src), self.rank_name(dst));
        let first = format!("{bytes} B from {src} to {dst} with tag {tag}");
        Some(match queues().map(Divided::length).sum::<u32>() {
            1 => format!("a message was never received: {first}"),
            more => format!("{more} messages were never received, the first of them {first}"),
        })
    }

    /// How many receives got no message although their ranks have ended, and the first of them. Leaves
    /// out the ranks in `cut`.
    pub fn uncompleted(&self, cut: &[Range<u32>]) -> Option<String> {
        let is_cut = |r: &Request| cut.iter().any(|each| each.contains(&r.rank));
        let is_left = |r: &&Request| r.live && r.receives && !r.done && !is_cut(r);
        let mut left = self.requests.iter().filter(is_left);
        let first = left.next()?;
        let (rank, what) = (self.rank_name(first.rank), describe(first, &self.communicators));
        Some(match left.count() {
            0 => format!("a receive was never completed: {rank} expects {what}"),
            more => format!("{} receives were never completed: {rank} expects {what}", more + 1),
        })
    }

    /// The message about ranks that wait although nothing is under way.
    pub fn deadlock(&self) -> String {
        let all = (0..).zip(&self.ranks);
        let all = all.flat_map(|(rank, state)| state.threads().into_iter().map(move |t| (rank, t)));
        let mut waiting = all.filter_map(|(rank, thread)| self.waits(rank, thread));
        let named: Vec<String> = waiting.by_ref().take(NAMED).collect();
        let more = match waiting.count() {
            0 => String::new(),
            more => format!("; and {more} more ranks wait"),
        };
        let at = seconds(self.polls.quiet_since(self.now));
        format!("deadlock at {at}: {}{more}{}", named.join("; "), self.ended())
    }

    /// Which ranks have ended while others of their job wait.
    fn ended(&self) -> String {
        let all = || (0..).zip(&self.ranks);
        let open: HashSet<Option<u32>> = all()
            .filter(|(_, state)| !state.ended)
            .map(|(rank, _)| self.jobs.number_of(rank))
            .collect();
        let of_open = |rank: u32| open.contains(&self.jobs.number_of(rank));
        let mut ended = all().filter(|&(rank, state)| state.ended && of_open(rank));
        let named = ended.by_ref().take(NAMED).map(|(rank, state)| {
            let last = match state.call {
                "" => "before its first call".into(),
                call => format!("its last call was {call}"),
            };
            let (name, at) = (self.rank_name(rank), seconds(state.clock));
            format!("; {name} has ended with code 0 at {at}, {last}")
        });
        let named: String = named.collect();
        match ended.count() {
            0 => named,
            more => format!("{named}; and {more} more ranks have ended"),
        }
    }
}

fn seconds(at: Time) -> String {
    match to_seconds(at) {
        0.0 => "0 s".into(),
        at => format!("{at:e} s"),
    }
}

fn describe(request: &Request, known: &Communicators) -> String {
    let Request { source, tag, context, .. } = *request;
    if request.receives {
        return message(source, tag, (known, context));
    }
    let there = known.name(communicator_of(context));
    let tag = if is_hidden(context) { String::new() } else { format!(" with tag {tag}") };
    format!("rank {source} to receive its message{tag} in {there}")
}

fn message(source: i32, tag: i32, (known, context): (&Communicators, u32)) -> String {
    let from = match source {
        ANY_SOURCE => "any rank".into(),
        _ => format!("rank {source}"),
    };
    let tag = match tag {
        ANY_TAG => " with any tag".into(),
        _ if is_hidden(context) => String::new(),
        _ => format!(" with tag {tag}"),
    };
    format!("a message from {from}{tag} in {}", known.name(communicator_of(context)))
}
