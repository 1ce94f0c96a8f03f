//! What the simulation reports to an observer of a program. Observers change nothing in a simulation.

use crate::time::Time;

/// A call that has ended (`MGEN_Recv`, `MGEN_Comp` …).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    pub rank: u32,
    pub name: &'static str,
    pub start: Time,
    pub end: Time,
    /// The part of its time in which the rank was suspended: its message was under way or was copied, or
    /// the other side had not called yet.
    pub waited: Time,
    /// Whether another call of the rank has made it, such as a collective.
    pub is_inner: bool,
}

/// Watches a program. If `ACTIVE` is false, watching costs nothing.
pub trait Observer {
    const ACTIVE: bool;

    /// A message from rank to rank. It was `sent` when the call that sent it began, and its data had
    /// `arrived` at the end.
    fn message(&mut self, src: u32, dst: u32, bytes: u64, sent: Time, arrived: Time);
    /// A call has ended. Calls that a collective makes are reported as well, before it.
    fn call(&mut self, call: &Call);
}

/// Nobody watches.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nobody;

impl Observer for Nobody {
    const ACTIVE: bool = false;

    fn message(&mut self, _: u32, _: u32, _: u64, _: Time, _: Time) {}
    fn call(&mut self, _: &Call) {}
}
