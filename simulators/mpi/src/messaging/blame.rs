//! What ends the waits of ranks. It is noted only for an observer that wants to know.

use super::causes::{get, put};
use super::machine::Machine;
use super::message::Message;
use super::thread::Waiting;
use crate::observer::{Cause, Observer, Rest, Wait};
use crate::time::Time;
use crate::transport::Transport;
use std::ops::Range;

/// A rank did something at this time, and the network had nothing to do.
fn by(rank: u32, at: Time) -> Cause {
    Cause { rank, at, ready: at, rest: Rest::Software, source: rank, destination: rank }
}

impl<T: Transport, O: Observer> Machine<T, O> {
    #[inline]
    fn notes_causes(&self) -> bool {
        O::ACTIVE && self.observer.wants_waits()
    }

    /// The same of the waits of a rank. What is known of them are those of its first thread.
    #[inline]
    fn notes_causes_of(&self, rank: u32) -> bool {
        self.notes_causes() && self.thread(rank) == 0
    }

    /// A message leaves its rank at this time.
    #[inline]
    pub(super) fn note_leaving(&mut self, number: u32, at: Time) {
        if self.notes_causes() {
            let sender = by(self.messages[number].src, at);
            put(&mut self.causes.of_messages, number, Some(sender));
        }
    }

    /// An answer waited for another message, not for its own.
    pub(super) fn note_release(&mut self, answer: u32, by_message: u32) {
        if self.notes_causes() {
            let cause = get(&self.causes.of_messages, by_message);
            put(&mut self.causes.of_messages, answer, cause);
        }
    }

    /// A message has met its receive. If the receive is the later one, the message waited for it.
    #[inline]
    pub(super) fn note_match(&mut self, number: u32, request: u32) {
        let posted = self.requests[request].at;
        if self.notes_causes() && posted >= self.now {
            let receiver = by(self.messages[number].dst, posted);
            put(&mut self.causes.of_messages, number, Some(receiver));
        }
    }

    /// What a message waited for, if the network has done its part at `ready`.
    fn cause_of_message(&self, number: u32, ready: Time) -> Option<Cause> {
        let cause = get(&self.causes.of_messages, number)?;
        let Message { src, dst, .. } = self.messages[number];
        Some(Cause { ready: ready.max(cause.at), source: src, destination: dst, ..cause })
    }

    /// A message is about to complete a request; the network has done its part at `ready`.
    #[inline]
    pub(super) fn note_completion(&mut self, request: u32, number: u32, ready: Time) {
        if self.notes_causes() {
            let cause = self.cause_of_message(number, ready);
            put(&mut self.causes.of_requests, request, cause);
        }
    }

    /// A request that needs no message: its rank completes it.
    #[inline]
    pub(super) fn note_own(&mut self, request: u32, rank: u32) {
        if self.notes_causes() {
            let cause = Cause { rest: Rest::Compute, ..by(rank, self.clock(rank)) };
            put(&mut self.causes.of_requests, request, Some(cause));
        }
    }

    /// The rank begins to wait.
    #[inline]
    pub(super) fn forget_cause(&mut self, rank: u32) {
        if self.notes_causes_of(rank) {
            put(&mut self.causes.of_ranks, rank, None);
        }
    }

    /// This request, which is complete at `at`, may end the present wait of the rank: if the rank waits
    /// for all of several the last one does, else the first.
    #[inline]
    pub(super) fn note_request(&mut self, rank: u32, request: u32, at: Time) {
        if !self.notes_causes_of(rank) {
            return;
        }
        let known = get(&self.causes.of_ranks, rank);
        let waits_for_all = self.ranks[rank as usize].waiting == Waiting::All;
        let counts = known.is_none_or(|(before, _)| (at > before) == waits_for_all);
        if let (true, Some(cause)) = (counts, get(&self.causes.of_requests, request)) {
            put(&mut self.causes.of_ranks, rank, Some((at, cause)));
        }
    }

    /// This message ends the wait of the rank now.
    #[inline]
    pub(super) fn note_message(&mut self, rank: u32, number: u32) {
        if self.notes_causes_of(rank) {
            let cause = self.cause_of_message(number, self.now);
            put(&mut self.causes.of_ranks, rank, cause.map(|cause| (self.now, cause)));
        }
    }

    /// Another rank ends the wait of the rank: it has called at this time.
    pub(super) fn note_caller(&mut self, rank: u32, caller: u32, at: Time) {
        if self.notes_causes_of(rank) {
            put(&mut self.causes.of_ranks, rank, Some((at, by(caller, at))));
        }
    }

    /// The rank waits until `at`, when a put or get is complete, without being suspended.
    pub(super) fn pass_until_handle(&mut self, rank: u32, place: u32, at: Time) {
        if self.notes_causes() {
            let cause = get(&self.causes.of_handles, place);
            put(&mut self.causes.of_ranks, rank, cause.map(|cause| (at, cause)));
        }
        self.pass_until(rank, at);
    }

    /// The same for a request.
    pub(super) fn pass_until_request(&mut self, rank: u32, place: u32, at: Time) {
        if self.notes_causes() {
            let cause = get(&self.causes.of_requests, place);
            put(&mut self.causes.of_ranks, rank, cause.map(|cause| (at, cause)));
        }
        self.pass_until(rank, at);
    }

    /// Moves the clock of a rank to `at` or later; it waits until then.
    #[inline]
    pub(super) fn pass_until(&mut self, rank: u32, at: Time) {
        self.report_wait(rank, at);
        self.ranks[rank as usize].wait_until(at);
    }

    /// Reports that a rank waits from its clock to `at`.
    #[inline]
    fn report_wait(&mut self, rank: u32, at: Time) {
        let state = &self.ranks[rank as usize];
        if !self.notes_causes_of(rank) || at <= state.clock {
            return;
        }
        let start = if state.collective.is_empty() { state.since } else { state.collective_since };
        let (call, from) = (state.call_name(), state.clock);
        let cause = get(&self.causes.of_ranks, rank).map(|(_, cause)| cause);
        put(&mut self.causes.of_ranks, rank, None);
        self.observer.wait(&Wait { rank, call, start: start.min(from), from, until: at, cause });
    }

    /// Reports that the ranks of a job wait until it begins.
    pub(super) fn report_start(&mut self, ranks: Range<u32>, at: Time) {
        for rank in ranks {
            self.report_pause(rank, 0, at, None);
        }
    }

    /// Reports that ranks which have ended wait until the last of them has ended, and begin again then.
    pub(super) fn report_beginning(&mut self, ranks: Range<u32>, at: Time) {
        let last = ranks.clone().find(|&rank| self.clock(rank) == at);
        for rank in ranks {
            self.report_pause(rank, self.clock(rank), at, last.map(|last| by(last, at)));
        }
    }

    fn report_pause(&mut self, rank: u32, from: Time, until: Time, cause: Option<Cause>) {
        if self.notes_causes() && until > from {
            self.observer.wait(&Wait { rank, call: "", start: from, from, until, cause });
        }
    }

    /// This message completes a put or get.
    pub(super) fn note_handle(&mut self, place: u32, number: u32) {
        if self.notes_causes() {
            let cause = self.cause_of_message(number, self.now);
            put(&mut self.causes.of_handles, place, cause);
        }
    }
}
