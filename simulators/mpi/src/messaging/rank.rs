//! The state of one rank.

use super::queues::{Divided, Queue};
use super::thread::Thread;
use crate::time::Time;
use std::ops::{Deref, DerefMut};

/// A message with costs by size: when it left its rank, and when it is whole if nothing delays it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Outgoing {
    pub left: Time,
    pub whole: Time,
}

/// Whether a rank may call MPI. A program with `MGEN_Main` always may.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Library {
    #[default]
    Open,
    BeforeInit,
    AfterFinalize,
}

/// A rank, which is its thread in place as far as calls are concerned: they move that thread's clock.
#[derive(Debug, Default)]
pub struct Rank {
    /// The thread that runs, or that something happens to.
    pub thread: Thread,
    /// The others.
    pub others: Vec<Thread>,
    /// Threads that it has begun, and how often one of its threads has begun or ended to wait.
    pub begun: u32,
    pub waits: u32,
    /// When it has made all copies that have been asked of it.
    pub copier: Time,
    /// When its processor has done all that messages with costs by size ask of it.
    pub processor: Time,
    /// When it may send the next of such messages, and take in the next: it may do both at once.
    pub sending: Time,
    pub receiving: Time,
    /// When its last call that sent such a message ended.
    pub called: Option<Time>,
    /// The last message that it sent with such costs.
    pub outgoing: Outgoing,
    /// Receives from one sender, receives from any, messages without a receive, and how many members
    /// these queues have had.
    pub posted: Divided,
    pub posted_any: Queue,
    pub unexpected: Divided,
    pub joined: u32,
    /// Tags of puts that have landed and have not been polled, with their number.
    pub landed: Vec<(i32, u32)>,
    /// Messages that it has probed and taken out of its queue, but not received.
    pub taken: Vec<u32>,
    /// Memory of the library of calls that the program is compiled with.
    pub own: Box<[usize; OWN]>,
    pub is_plain: bool,
    pub library: Library,
    pub has_begun: bool,
    pub ended: bool,
}

/// `MGEN_OWN` of `mgen_host.h`.
const OWN: usize = 4;

impl Rank {
    /// Its program is a plain MPI program, which has yet to call `MPI_Init`, or not.
    pub fn set_plain(&mut self, is_plain: bool) {
        self.is_plain = is_plain;
        self.library = if is_plain { Library::BeforeInit } else { Library::Open };
    }
}

impl Deref for Rank {
    type Target = Thread;

    fn deref(&self) -> &Thread {
        &self.thread
    }
}

impl DerefMut for Rank {
    fn deref_mut(&mut self) -> &mut Thread {
        &mut self.thread
    }
}
