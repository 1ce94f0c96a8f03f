//! What is known of one rank.

use super::queues::{Divided, NO_QUEUE, Queue};
use crate::time::{NEVER, Time};

/// What a suspended rank waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// It runs, or may.
    No,
    /// Its clock is ahead and it must know what happens until then.
    Clock,
    /// All requests that are marked as awaited, `missing` in number.
    All,
    /// One of them.
    Any,
    /// It tests again and again: anything that may change the answer.
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
    Members {
        communicator: u32,
    },
}

/// A test or probe without success. When the same comes again and nothing happened in between, the
/// rank only passes the time: it is suspended until something changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Idle {
    No,
    Test(u32),
    Probe { communicator: u32, source: i32, tag: i32 },
}

#[derive(Debug)]
pub struct Rank {
    /// Its own time: that of the simulation or ahead of it.
    pub clock: Time,
    /// When it has made the copies that are asked of it.
    pub copier: Time,
    pub waiting: Waiting,
    /// Numbers its waits.
    pub wait: u32,
    /// Requests that it still waits for, and when those that are complete are.
    pub missing: u32,
    pub until: Time,
    /// Receives of one sender, receives of any, messages without receive, and how many joined them.
    pub posted: Divided,
    pub posted_any: Queue,
    pub unexpected: Divided,
    pub joined: u32,
    /// Puts that have landed and were not polled for yet, by tag.
    pub landed: Vec<(i32, u32)>,
    /// Call that it is in, the collective around it, and when the outer one began.
    pub call: &'static str,
    pub collective: &'static str,
    pub since: Time,
    pub collective_since: Time,
    /// The first of the tests and probes that failed since anything else happened to the rank.
    pub idle: Idle,
    /// How often it asked for a time that stood still.
    pub asked: u32,
    pub asked_at: Time,
    /// Communicator that the last split or dup made.
    pub made: i32,
    pub ended: bool,
}

impl Default for Rank {
    fn default() -> Self {
        Self {
            clock: 0,
            copier: 0,
            waiting: Waiting::No,
            wait: 0,
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
            idle: Idle::No,
            asked: 0,
            asked_at: NEVER,
            made: 0,
            ended: false,
        }
    }
}
