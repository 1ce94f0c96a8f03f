//! What the simulation reports to whoever watches a program. Nothing it reports changes what happens.

use crate::time::Time;

/// Watches a program. With `ACTIVE` false the calls cost nothing.
pub trait Observer {
    const ACTIVE: bool;

    /// A message of the program from rank to rank: from the call that sent it to its data's arrival.
    fn message(&mut self, src: u32, dst: u32, bytes: u64, sent: Time, arrived: Time);
    /// A rank was in a call of the program (`MGEN_Recv`, `MGEN_Comp` …) from `start` to `end`. A call
    /// that another one makes is reported as well, and lies within it.
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
