//! Tests and probes without success. A program may repeat one until something happens, until it has seen
//! so often enough, or until its clock says that it has waited long enough.

use super::machine::Machine;
use super::rank::Rank;
use super::request::Request;
use super::thread::{Idle, Waiting};
use super::timers::Action;
use crate::observer::Observer;
use crate::time::{NEVER, Time};
use crate::transport::Transport;

/// How long a repeated test takes when nothing ends it: 100 ns, about what it takes a library of MPI.
const STEP: Time = 100_000;
/// A rank that looks at its clock meanwhile tests again after this part of the time that it has tested:
/// the end of its wait is as exact, and a long wait takes few steps.
const PART: Time = 1_000;
const LONGEST_STEP: Time = 1_000_000_000_000;
/// How often a thread may lock and unlock at one time before others go on.
const MOST_LOOKS: u32 = 1_000;
/// How often a rank may look for what is there, or ask for what it has, before that takes time; and the
/// same for one that has waited so before.
const FREE_LOOKS: u32 = 100_000;
const FREE_LOOKS_AGAIN: u32 = 10;
/// How often a rank tests again, on average, before weft calls it a deadlock.
const MOST_STEPS: u64 = 100_000;

impl Rank {
    /// Something else than a test without success happens to the rank.
    #[inline]
    pub fn end_row(&mut self) {
        (self.idle, self.row_since, self.row_is_timed) = (Idle::No, NEVER, false);
    }

    /// The rank does something, and does not only look or test without success.
    #[inline]
    pub fn acts(&mut self) {
        self.end_row();
        self.in_vain = 0;
    }
}

impl<T: Transport, O: Observer> Machine<T, O> {
    /// A test of the rank had no success. Suspends the rank until something changes, and returns true, if
    /// the same test had no success before and nothing has happened since.
    pub fn failed_test(&mut self, number: u32, test: Idle) -> bool {
        if let Idle::Test(place) = test {
            let Request { done, at, .. } = self.requests[place];
            if done && at > self.now {
                self.set_timer(at, Action::Change(number));
            }
        }
        let now = self.now;
        let rank = &mut self.ranks[number as usize];
        rank.row_since = rank.row_since.min(now);
        if rank.idle == Idle::No {
            rank.idle = test;
        } else if rank.idle == test {
            rank.idle = Idle::No;
            rank.in_vain = 0;
            let (row_since, row_is_timed) = (rank.row_since, rank.row_is_timed);
            self.suspend(number, Waiting::Change);
            if row_is_timed {
                self.test_after(number, ((now - row_since) / PART).clamp(STEP, LONGEST_STEP));
            }
            if let Idle::Test(place) = test {
                self.note_request(number, place, self.requests[place].at);
            }
            return true;
        }
        false
    }

    fn test_after(&mut self, number: u32, step: Time) {
        if self.polls.in_vain < MOST_STEPS * self.ranks.len() as u64 {
            let wait = self.ranks[number as usize].wait;
            self.set_timer(self.now + step, Action::TestAgain(number, wait));
            self.polls.under_way += 1;
        }
    }

    /// If only tests are under way, every rank that repeats one tests again.
    pub(super) fn let_all_test(&mut self) {
        if self.polls.under_way < self.timers.count() {
            return;
        }
        for number in 0..self.ranks.len() as u32 {
            self.for_threads(number, |machine| {
                let rank = &machine.ranks[number as usize];
                if rank.waiting == Waiting::Change && !rank.row_is_timed {
                    machine.test_after(number, STEP);
                }
            });
        }
    }

    /// Lets a rank test again if it is still in the wait of this number.
    pub(super) fn test_again(&mut self, number: u32, wait: u32) {
        self.polls.under_way -= 1;
        self.wake_if(number, |thread| thread.wait == wait);
    }

    /// The running thread has come to a lock. Suspends it as a yield does, and returns true, if it does
    /// nothing else again and again.
    pub fn looks_again(&mut self, number: u32) -> bool {
        let rank = &mut self.ranks[number as usize];
        if rank.others.is_empty() {
            return false;
        }
        if rank.looked_at != rank.clock {
            (rank.looked_at, rank.looks) = (rank.clock, 0);
        }
        rank.looks += 1;
        let again = rank.looks > MOST_LOOKS;
        if again {
            rank.looks = 0;
            self.yield_thread(number);
        }
        again
    }

    /// The running thread has made a call that changes nothing. Suspends it as a yield does, and returns
    /// true, if it has done nothing else many times.
    pub fn looks_in_vain(&mut self, number: u32) -> bool {
        let rank = &mut self.ranks[number as usize];
        rank.in_vain += 1;
        let waits = rank.in_vain > FREE_LOOKS;
        if waits {
            rank.in_vain -= FREE_LOOKS_AGAIN;
            self.yield_thread(number);
        }
        waits
    }

    /// Suspends the running thread for as long as a look at memory takes, or until another thread of its
    /// rank has run.
    pub fn yield_thread(&mut self, number: u32) {
        let now = self.now;
        let rank = &mut self.ranks[number as usize];
        rank.row_since = rank.row_since.min(now);
        rank.row_is_timed = true;
        let row_since = rank.row_since;
        self.suspend(number, Waiting::Change);
        self.test_after(number, ((now - row_since) / PART).clamp(STEP, LONGEST_STEP));
    }
}
