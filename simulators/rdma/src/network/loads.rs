//! How much each channel between routers is used, as routing functions see it.

use super::timing::Timing;
use mpi::time::Time;
use std::collections::VecDeque;

/// Flits of a packet that pass one after the other from a time on.
#[derive(Debug, Clone, Copy)]
struct Run {
    from: Time,
    flits: u32,
}

impl Run {
    fn is_over(self, now: Time, timing: &Timing) -> bool {
        self.from + timing.flits(self.flits - 1) <= now
    }

    /// Its flits that have passed at `now`.
    fn passed(self, now: Time, timing: &Timing) -> u32 {
        match now.checked_sub(self.from) {
            None => 0,
            Some(_) if self.is_over(now, timing) => self.flits,
            Some(since) => timing.flits_in(since),
        }
    }
}

/// Runs that are not over, in the order of their beginnings, and the flits of those that are.
#[derive(Debug, Clone, Default)]
struct Runs {
    over: u64,
    current: VecDeque<Run>,
}

impl Runs {
    /// Adds a run; nobody asks again what was before `since`.
    fn add(&mut self, run: Run, since: Time, timing: &Timing) {
        let is_over = |first: &&Run| first.from + timing.flits(first.flits) <= since;
        while let Some(first) = self.current.front().filter(is_over) {
            self.over += u64::from(first.flits);
            self.current.pop_front();
        }
        self.current.push_back(run);
    }

    fn passed(&self, now: Time, timing: &Timing) -> u64 {
        let current = self.current.iter().map(|run| u64::from(run.passed(now, timing)));
        self.over + current.sum::<u64>()
    }
}

#[derive(Debug, Clone, Default)]
struct Load {
    /// Flits that got the switch.
    sent: Runs,
    /// Flits whose space is known to be free at the beginning of the channel.
    freed: Runs,
}

/// Of all channels: flits on their way into the next buffers and in them.
#[derive(Debug)]
pub(super) struct Loads(Vec<Load>);

impl Loads {
    pub fn new(channels: u32) -> Self {
        Self(vec![Load::default(); channels as usize])
    }

    /// A packet gets the switch to a channel. From now on nobody asks what was before `since`.
    pub fn send(&mut self, channel: u32, from: Time, flits: u32, since: Time, timing: &Timing) {
        self.0[channel as usize].sent.add(Run { from, flits }, since, timing);
    }

    /// A packet leaves the buffer at the end of a channel, whose beginning learns it from `from` on.
    pub fn free(&mut self, channel: u32, from: Time, flits: u32, since: Time, timing: &Timing) {
        self.0[channel as usize].freed.add(Run { from, flits }, since, timing);
    }

    /// Flits that were sent through a channel before `at` and whose space is not known to be free
    /// again.
    pub fn used(&self, channel: u32, at: Time, timing: &Timing) -> u32 {
        let load = &self.0[channel as usize];
        let sent = load.sent.passed(at.saturating_sub(1), timing);
        sent.saturating_sub(load.freed.passed(at, timing)) as u32
    }
}
