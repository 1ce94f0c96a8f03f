//! The state of one thread of a rank: its time, its call, and what it waits for.

use crate::time::{NEVER, Time};
use ranks::Start;

/// What a suspended thread waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// For nothing: it runs, or may run.
    No,
    /// For the simulated time to reach its clock, which is ahead.
    Clock,
    /// For all requests that are marked as awaited, `missing` in number.
    All,
    /// For one of these requests.
    Any,
    /// For anything that may change the answer of the test that it repeats.
    Change,
    Probe {
        context: u32,
        source: i32,
        tag: i32,
    },
    Put {
        tag: i32,
    },
    Handle(u32),
    /// For the head of the message of this request.
    Head(u32),
    Members {
        communicator: u32,
    },
    /// For another thread of its rank, at this address of the program.
    Thread(usize),
}

/// A test or probe without success. When the rank repeats it and nothing has happened in between, the
/// rank is suspended until something changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Idle {
    No,
    Test(u32),
    Probe { context: u32, source: i32, tag: i32 },
}

#[derive(Debug)]
pub struct Thread {
    /// Its number in its rank; the first has 0.
    pub number: u32,
    /// What it begins with, until it begins.
    pub start: Option<Start>,
    /// Its own time, at the simulated time or ahead of it.
    pub clock: Time,
    pub waiting: Waiting,
    /// How often its rank had begun or ended to wait when it did so last: the number of its present
    /// wait.
    pub wait: u32,
    /// Whether another thread of its rank has ended its last wait for one.
    pub is_woken: bool,
    /// How long it has waited in all calls so far.
    pub waited: Time,
    /// How many requests it still waits for, and when the last of the complete ones is complete.
    pub missing: u32,
    pub until: Time,
    /// The call that it is in, the collective around that call, and when each began.
    pub call: &'static str,
    pub collective: &'static str,
    pub since: Time,
    pub collective_since: Time,
    /// How long it had waited when each of them began.
    pub waited_before: Time,
    pub collective_waited_before: Time,
    /// The first test or probe without success since anything else happened to it.
    pub idle: Idle,
    /// When the present row of tests without success began, and whether it has asked for the time
    /// since.
    pub row_since: Time,
    pub row_is_timed: bool,
    /// How many calls have changed nothing since it did anything else.
    pub in_vain: u32,
    /// How often it has asked for the time since `asked_since`, and its clock when it did so last.
    pub asked: u32,
    pub asked_since: Time,
    pub asked_at: Time,
    /// How often it has come to a lock at the time `looked_at`.
    pub looks: u32,
    pub looked_at: Time,
    /// Whether it has once waited by nothing but its clock.
    pub waits_by_clock: bool,
    /// Handle of the communicator that its last split or dup made.
    pub made: i32,
}

impl Thread {
    /// It calls a collective, or another call that is made of calls.
    pub fn enter_collective(&mut self, name: &'static str) {
        (self.collective, self.collective_since) = (name, self.clock);
        self.collective_waited_before = self.waited;
    }

    /// Moves its clock to `at` or later; it waits until then.
    pub fn wait_until(&mut self, at: Time) {
        let waits = at.saturating_sub(self.clock);
        self.clock += waits;
        self.waited += waits;
    }
}

impl Default for Thread {
    fn default() -> Self {
        Self {
            number: 0,
            start: None,
            clock: 0,
            waiting: Waiting::No,
            wait: 0,
            is_woken: false,
            waited: 0,
            missing: 0,
            until: 0,
            call: "",
            collective: "",
            since: 0,
            collective_since: 0,
            waited_before: 0,
            collective_waited_before: 0,
            idle: Idle::No,
            row_since: NEVER,
            row_is_timed: false,
            in_vain: 0,
            asked: 0,
            asked_since: 0,
            asked_at: NEVER,
            looks: 0,
            looked_at: NEVER,
            waits_by_clock: false,
            made: 0,
        }
    }
}
