//! State of all ranks and messages, and how time passes for them.

use super::agreement::Agreement;
use super::causes::Causes;
use super::communicators::Communicators;
use super::job_of_rank::JobOfRank;
use super::message::{Message, Stage};
use super::notes::Notes;
use super::operation::Operation;
use super::payloads::Payloads;
use super::polls::Polls;
use super::protocol::Protocol;
use super::rank::Rank;
use super::request::Request;
use super::slab::Slab;
use super::thread::Waiting;
use super::timers::Action;
use super::{access::MemoryAccess, handle::Handle, samples::Samples, storage::Storage};
use crate::calendar::Calendar;
use crate::computing::Computing;
use crate::observer::Observer;
use crate::time::{NEVER, Time};
use crate::transport::{Happening, Kind, Transfer, Transport};
use fabric::{Node, Rails};
use std::collections::VecDeque;

/// Gives the calls of ranks their meaning: matching, protocols, completion. A call that must wait says
/// so, and [`next_ready`](Self::next_ready) returns the rank when it may go on.
///
/// Every rank has a clock of its own, at the simulated time or ahead of it, so that a call that depends
/// on no other rank only moves the clock. What a rank asks of the network ahead of the simulated time
/// waits until the simulated time has come. A receive that is posted ahead of time may match at once:
/// which one it gets depends on the orders of receives and of messages alone. It completes no earlier.
pub struct Machine<T, O> {
    pub transport: T,
    /// Receives messages and calls.
    pub observer: O,
    pub protocol: Protocol,
    pub communicators: Communicators,
    pub jobs: JobOfRank,
    pub samples: Samples,
    pub storage: Storage,
    /// What the program computes between its calls.
    pub computing: Computing,
    pub(crate) agreement: Agreement,
    pub(super) now: Time,
    pub(crate) ranks: Vec<Rank>,
    pub(super) nodes: Vec<Node>,
    /// Where hosts have several rails, `nodes` are hosts.
    pub(crate) rails: Option<Rails>,
    /// Per node: transfers that it has passed, and of these, large ones that may go by any rail.
    passed: Vec<Passed>,
    pub(super) requests: Slab<Request>,
    pub(super) messages: Slab<Message>,
    pub(super) handles: Slab<Handle>,
    /// Messages whose heads have arrived, but whose receives have not begun, in this order. Of these,
    /// only a receive of a head takes notice before all of the message is there.
    pub(super) heads: Vec<u32>,
    pub(super) payloads: Payloads,
    pub(super) causes: Causes,
    /// Address and size of the memory that each rank exposes; empty until the first rank does.
    pub(super) exposed: Vec<(usize, u64)>,
    pub(super) accesses: Vec<MemoryAccess>,
    pub(super) operations: Slab<Operation>,
    pub(crate) algorithms: Vec<(String, std::ffi::CString)>,
    pub notes: Notes,
    /// Names of the collectives that were called, and of algorithms.
    pub(crate) names: Vec<&'static str>,
    pub(super) sent: u64,
    pub(super) payload_bytes: u64,
    pub(super) polls: Polls,
    pub(super) timers: Calendar<Action>,
    /// Ranks and their threads that may go on.
    pub(super) ready: VecDeque<(u32, u32)>,
    happenings: Vec<Happening>,
    /// The running rank, and the error that ended the run.
    pub(crate) running: u32,
    pub(crate) failure: Option<String>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Passed {
    all: u32,
    free: u32,
}

impl<T: Transport, O: Observer> Machine<T, O> {
    /// Ranks on these nodes, all of them ready at time 0.
    pub fn new(transport: T, observer: O, nodes: Vec<Node>, protocol: Protocol) -> Self {
        let ranks = nodes.len() as u32;
        let most = nodes.iter().max().map_or(0, |&node| node as usize + 1);
        Self {
            transport,
            observer,
            protocol,
            communicators: Communicators::new(ranks),
            jobs: JobOfRank::default(),
            samples: Samples::default(),
            storage: Storage::default(),
            computing: Computing::default(),
            agreement: Agreement::default(),
            now: 0,
            ranks: (0..ranks).map(|_| Rank::default()).collect(),
            nodes,
            rails: None,
            passed: vec![Passed::default(); most],
            requests: Slab::default(),
            messages: Slab::default(),
            handles: Slab::default(),
            heads: vec![],
            payloads: Payloads::default(),
            causes: Causes::default(),
            exposed: vec![],
            accesses: vec![],
            operations: Slab::default(),
            algorithms: vec![],
            notes: Notes::default(),
            names: vec![],
            sent: 0,
            payload_bytes: 0,
            polls: Polls::default(),
            timers: Calendar::default(),
            ready: (0..ranks).map(|rank| (rank, 0)).collect(),
            happenings: vec![],
            running: 0,
            failure: None,
        }
    }

    /// Says how collectives choose their algorithms: `("barrier", "ring")`.
    pub fn set_algorithms(&mut self, chosen: &[(String, String)]) {
        let c_text = |text: &str| std::ffi::CString::new(text).unwrap_or_default();
        self.algorithms = chosen.iter().map(|(c, a)| (c.clone(), c_text(a))).collect();
    }

    /// Simulated time. The clock of no running rank is behind it.
    pub fn now(&self) -> Time {
        self.now
    }

    /// The rank's own time.
    pub fn clock(&self, rank: u32) -> Time {
        self.ranks[rank as usize].clock
    }

    /// The node of a rank; 0 if there is no such rank.
    pub fn node_of(&self, rank: u32) -> Node {
        self.nodes.get(rank as usize).copied().unwrap_or_default()
    }

    /// Whether a rank is in a call that is made of others.
    pub(crate) fn is_inside(&self, rank: u32) -> bool {
        !self.ranks[rank as usize].collective.is_empty()
    }

    pub(super) fn count_message(&mut self, bytes: u64) {
        self.sent += 1;
        self.payload_bytes += bytes;
    }

    /// Messages so far, with puts and gets. An operation that brings data and fetches some is two.
    pub fn messages_sent(&self) -> u64 {
        self.sent
    }

    /// Bytes of the program in those messages.
    pub fn payload_bytes(&self) -> u64 {
        self.payload_bytes
    }

    /// The next rank that may run now, with the thread in place that does.
    pub fn next_ready(&mut self) -> Option<u32> {
        let (rank, thread) = self.ready.pop_front()?;
        self.put_in_place(rank, thread);
        self.running = rank;
        Some(rank)
    }

    /// Simulates up to the next time at which something happens to a rank or message. False when nothing
    /// is under way.
    pub fn advance(&mut self) -> bool {
        let (before, mut only_tests) = (self.now, true);
        if self.transport.is_idle() {
            self.let_all_test();
            let Some(at) = self.timers.first() else { return false };
            self.now = at;
        } else {
            let mut happenings = std::mem::take(&mut self.happenings);
            let until = self.timers.first().unwrap_or(NEVER);
            let reached = self.transport.advance(until, &mut happenings);
            if let Some(failure) = self.transport.failure() {
                self.failure = Some(failure.into());
                return false;
            }
            if reached == NEVER {
                return false;
            }
            self.now = reached;
            only_tests = happenings.is_empty();
            for &happening in &happenings {
                match happening {
                    Happening::Read(token) => self.read(token),
                    Happening::HeadArrived(token) => self.head_arrived(token),
                    Happening::Arrived(token) => self.arrived(token),
                }
            }
            happenings.clear();
            self.happenings = happenings;
        }
        while let Some(action) = self.timers.due(self.now) {
            only_tests &= matches!(action, Action::TestAgain(..));
            match action {
                Action::TestAgain(rank, wait) => self.test_again(rank, wait),
                Action::Transfer(message) => self.hand_over(message),
                Action::Copy(message) => self.copy_eager(message),
                Action::TakeIn(message) => self.taken_in(message),
                Action::Wake(rank, wait) => self.wake_if(rank, |thread| thread.wait == wait),
                Action::Change(rank) => {
                    self.wake_if(rank, |thread| thread.waiting == Waiting::Change);
                }
            }
        }
        self.polls.note(before, only_tests);
        true
    }

    pub(super) fn set_timer(&mut self, at: Time, action: Action) {
        self.timers.plan(at, action);
    }

    /// Passes the transfer of the message's stage to the network at `at`.
    pub(super) fn transfer(&mut self, at: Time, message: u32) {
        if at > self.now {
            return self.timers.plan(at, Action::Transfer(message));
        }
        self.hand_over(message);
    }

    fn hand_over(&mut self, number: u32) {
        let message = &mut self.messages[number];
        let (to, from) = (self.nodes[message.dst as usize], self.nodes[message.src as usize]);
        let control = self.protocol.control_bytes;
        let (src, dst, bytes, kind) = match message.stage {
            Stage::Eager | Stage::Data | Stage::Put => (from, to, message.bytes, Kind::Data),
            Stage::GetData => (to, from, message.bytes, Kind::Data),
            Stage::RequestToSend | Stage::GetRequest => (from, to, control, Kind::Control),
            Stage::ClearToSend | Stage::PutLanded => (to, from, control, Kind::Control),
        };
        let (ordered, token) = (message.stage.is_ordered(), number);
        let passed = &mut self.passed[src as usize];
        let number = passed.all;
        passed.all = passed.all.wrapping_add(1);
        let (src, dst) = match &self.rails {
            None => (src, dst),
            // What must stay in order, and answers without data, stay on one rail.
            Some(rails) if ordered || kind == Kind::Control => rails.of_pair(src, dst),
            Some(rails) => {
                let free = passed.free;
                passed.free = free.wrapping_add(1);
                rails.of_message(src, dst, free)
            }
        };
        self.transport.send(self.now, Transfer { src, dst, number, bytes, kind, ordered, token });
    }

    /// Suspends a rank until what it waits for happens.
    pub(crate) fn suspend(&mut self, rank: u32, waiting: Waiting) {
        self.forget_cause(rank);
        self.ranks[rank as usize].change_wait(waiting);
    }

    /// Lets a rank go on with its clock at `at` or later.
    pub(super) fn wake(&mut self, number: u32, at: Time) {
        self.pass_until(number, at);
        let rank = &mut self.ranks[number as usize];
        rank.change_wait(Waiting::No);
        let thread = rank.thread.number;
        self.ready.push_back((number, thread));
    }

    /// Lets a rank go on when the simulated time is `at`.
    pub(super) fn wake_at(&mut self, number: u32, at: Time) {
        if at > self.now {
            let wait = self.ranks[number as usize].wait;
            return self.timers.plan(at, Action::Wake(number, wait));
        }
        self.wake(number, at);
    }

    /// Suspends a rank until the simulated time has reached its clock; false when it has.
    pub(crate) fn catch_up(&mut self, rank: u32) -> bool {
        let clock = self.ranks[rank as usize].clock;
        if clock <= self.now {
            return false;
        }
        self.suspend(rank, Waiting::Clock);
        self.wake_at(rank, clock);
        true
    }
}
