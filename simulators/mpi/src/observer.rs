//! What the simulation reports to an observer of a program. Observers change nothing in a simulation.

use crate::time::Time;

/// Watches a program. If `ACTIVE` is false, watching costs nothing.
pub trait Observer {
    const ACTIVE: bool;

    /// A message from rank to rank. It was `sent` when the call that sent it began, and its data had
    /// `arrived` at the end.
    fn message(&mut self, src: u32, dst: u32, bytes: u64, sent: Time, arrived: Time);
    /// A rank was in a call (`MGEN_Recv`, `MGEN_Comp` …) from `start` to `end`. Calls that a collective
    /// makes are reported as well, and lie within it.
    fn call(&mut self, rank: u32, name: &'static str, start: Time, end: Time);
}

/// Nobody watches.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nobody;

impl Observer for Nobody {
    const ACTIVE: bool = false;

    fn message(&mut self, _: u32, _: u32, _: u64, _: Time, _: Time) {}
    fn call(&mut self, _: u32, _: &'static str, _: Time, _: Time) {}
}
