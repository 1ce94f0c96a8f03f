//! The state of one rank.

use super::queues::{Divided, NO_QUEUE, Queue};
use crate::time::{NEVER, Time};

/// What a suspended rank waits for.
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
        communicator: u32,
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
}

/// A test or probe without success. When the rank repeats it and nothing has happened in between, the
/// rank is suspended until something changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Idle {
    No,
    Test(u32),
    Probe { communicator: u32, source: i32, tag: i32 },
}

/// A message with costs by size: when it left its rank, and when it is whole if nothing delays it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Outgoing {
    pub left: Time,
    pub whole: Time,
}

#[derive(Debug)]
pub struct Rank {
    /// Its own time, at the simulated time or ahead of it.
    pub clock: Time,
    /// When it has made all copies that have been asked of it.
    pub copier: Time,
    /// When its processor has done all that messages with costs by size ask of it.
    pub processor: Time,
    /// When it may send the next of such messages, and take in the next: it may do both at once.
    pub sending: Time,
    pub receiving: Time,
    /// When its last call that sent such a message ended.
    pub called: Time,
    /// The last message that it sent with such costs.
    pub outgoing: Outgoing,
    pub waiting: Waiting,
    /// How often it has begun or ended to wait: the number of its present wait.
    pub wait: u32,
    /// How long it has waited in all calls so far.
    pub waited: Time,
    /// How many requests it still waits for, and when the last of the complete ones is complete.
    pub missing: u32,
    pub until: Time,
    /// Receives from one sender, receives from any, messages without a receive, and how many members
    /// these queues have had.
    pub posted: Divided,
    pub posted_any: Queue,
    pub unexpected: Divided,
    pub joined: u32,
    /// Tags of puts that have landed and have not been polled, with their number.
    pub landed: Vec<(i32, u32)>,
    /// The call that it is in, the collective around that call, and when each began.
    pub call: &'static str,
    pub collective: &'static str,
    pub since: Time,
    pub collective_since: Time,
    /// How long it had waited when each of them began.
    pub waited_before: Time,
    pub collective_waited_before: Time,
    /// The first test or probe without success since anything else happened to the rank.
    pub idle: Idle,
    /// When the present row of tests without success began, and whether the rank has asked for the time
    /// since.
    pub row_since: Time,
    pub row_is_timed: bool,
    /// How often it has asked for the time since `asked_since`, and its clock when it did so last.
    pub asked: u32,
    pub asked_since: Time,
    pub asked_at: Time,
    /// Whether it has once waited by nothing but its clock.
    pub waits_by_clock: bool,
    /// Handle of the communicator that the last split or dup made.
    pub made: i32,
    /// Messages that it has probed and taken out of its queue, but not received.
    pub taken: Vec<u32>,
    /// Memory of the library of calls that the program is compiled with.
    pub own: Box<[usize; OWN]>,
    pub has_begun: bool,
    pub ended: bool,
}

/// `MGEN_OWN` of `mgen_host.h`.
const OWN: usize = 4;

impl Rank {
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

impl Default for Rank {
    fn default() -> Self {
        Self {
            clock: 0,
            copier: 0,
            processor: 0,
            sending: 0,
            receiving: 0,
            called: NEVER,
            outgoing: Outgoing::default(),
            waiting: Waiting::No,
            wait: 0,
            waited: 0,
            missing: 0,
            until: 0,
            posted: Divided::default(),
            posted_any: NO_QUEUE,
            unexpected: Divided::default(),
            joined: 0,
            landed: vec![],
            call: "",
            collective: "",
            since: 0,
            collective_since: 0,
            waited_before: 0,
            collective_waited_before: 0,
            idle: Idle::No,
            row_since: NEVER,
            row_is_timed: false,
            asked: 0,
            asked_since: 0,
            asked_at: NEVER,
            waits_by_clock: false,
            made: 0,
            taken: vec![],
            own: Box::default(),
            has_begun: false,
            ended: false,
        }
    }
}
