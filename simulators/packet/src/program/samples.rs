//! What channels carried over time: differences of the network's counters, once per interval.

use super::clock::Clock;
use fabric::Channel;
use mpi::time::Time;

/// The interval that is under way. Where nobody asks for intervals it never ends.
pub(super) struct Samples {
    interval_ps: Option<Time>,
    clock: Clock,
    start: Time,
    /// The first cycle after the interval.
    due: u64,
    /// By channel: flits before the interval.
    before: Vec<u64>,
    /// Packets that had arrived before the interval.
    packets: u64,
}

impl Samples {
    pub fn new(interval_ps: Option<Time>, clock: Clock) -> Self {
        let due = interval_ps.map_or(u64::MAX, |length| clock.cycle(length));
        Self { interval_ps, clock, start: 0, due, before: vec![], packets: 0 }
    }

    #[inline]
    pub fn due(&self) -> u64 {
        self.due
    }

    /// When the interval began.
    pub fn start(&self) -> Time {
        self.start
    }

    /// When the interval ends.
    pub fn end(&self) -> Time {
        self.interval_ps.map_or(Time::MAX, |length| self.start + length)
    }

    /// Whether nothing has moved since the interval began: so where nothing is under way, and no packet
    /// has arrived. `packets` have arrived in all.
    pub fn is_quiet(&mut self, is_drained: bool, packets: u64) -> bool {
        is_drained && std::mem::replace(&mut self.packets, packets) == packets
    }

    /// Channels that have carried flits since the interval began, with their number. `carried` has the
    /// flits of each channel in all.
    pub fn take(&mut self, carried: Vec<u64>) -> impl Iterator<Item = (Channel, u64)> + use<> {
        let mut before = std::mem::replace(&mut self.before, carried.clone());
        before.resize(carried.len(), 0);
        let passed = carried.into_iter().zip(before).map(|(now, before)| now - before);
        (0..).zip(passed).filter(|(_, flits)| *flits > 0)
    }

    /// Goes on to the interval of the cycle `now`.
    pub fn go_on(&mut self, now: u64) {
        let Some(length) = self.interval_ps else { return };
        while self.due <= now {
            self.start += length;
            self.due = self.clock.cycle(self.start + length);
        }
    }
}
