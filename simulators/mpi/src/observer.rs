//! What the simulation reports to an observer of a program. Observers change nothing in a simulation.

use crate::time::Time;

/// A call that has ended (`MGEN_Recv`, `MGEN_Comp` …).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    pub rank: u32,
    /// 0 is the first thread of its rank.
    pub thread: u32,
    pub name: &'static str,
    pub start: Time,
    pub end: Time,
    /// The part of its time in which the rank was suspended: its message was under way or was copied, or
    /// the other side had not called yet.
    pub waited: Time,
    /// Whether another call of the rank has made it, such as a collective.
    pub is_inner: bool,
}

/// What a rank does at the end of a wait, when the network has done its part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// It copies or takes in a message.
    Software,
    /// Its device computes.
    Compute,
}

/// What ended a wait. At the time `at` a rank did what the wait was for: it sent the message, or called
/// the receive. The network had done its part when it was `ready`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cause {
    pub rank: u32,
    pub at: Time,
    pub ready: Time,
    pub rest: Rest,
    /// Who sent the message, and to whom; twice the rank if there is none.
    pub source: u32,
    pub destination: u32,
}

/// A rank could not go on `from` a time `until` another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    pub rank: u32,
    /// The call of the program, and when it began.
    pub call: &'static str,
    pub start: Time,
    pub from: Time,
    pub until: Time,
    /// None of a job that has not begun.
    pub cause: Option<Cause>,
}

/// Watches a program. If `ACTIVE` is false, watching costs nothing.
pub trait Observer {
    const ACTIVE: bool;

    /// A message from rank to rank. It was `sent` when the call that sent it began, and its data had
    /// `arrived` at the end.
    fn message(&mut self, src: u32, dst: u32, bytes: u64, sent: Time, arrived: Time);
    /// A call has ended. Calls that a collective makes are reported as well, before it.
    fn call(&mut self, call: &Call);
    /// Whether it wants to know of waits, what ended them, and when ranks ended.
    fn wants_waits(&self) -> bool {
        false
    }
    /// A wait has ended. Reported before the end of the call that waits.
    fn wait(&mut self, _: &Wait) {}
    /// A rank has ended.
    fn ended(&mut self, _rank: u32, _at: Time) {}
}

/// Nobody watches.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nobody;

impl Observer for Nobody {
    const ACTIVE: bool = false;

    fn message(&mut self, _: u32, _: u32, _: u64, _: Time, _: Time) {}
    fn call(&mut self, _: &Call) {}
}
