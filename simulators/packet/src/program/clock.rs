//! Cycles and picoseconds.

use mpi::time::Time;

/// A cycle is kept in so small parts of a picosecond that 2^39 cycles are off by less than one.
const FRACTION: u32 = 40;
const HALF: u128 = 1 << (FRACTION - 1);

/// Converts between cycles and picoseconds. Cycle 0 is at 0 ps; a cycle need not be whole
/// picoseconds, so each is rounded by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    cycle: u128,
}

impl Clock {
    /// For cycles of so many seconds, at least a picosecond.
    pub fn new(cycle_s: f64) -> Self {
        let parts = cycle_s * 1e12 * 2_f64.powi(FRACTION as i32);
        Self { cycle: parts.round() as u128 }
    }

    /// When a cycle is.
    #[inline]
    pub fn time(&self, cycle: u64) -> Time {
        ((self.cycle * u128::from(cycle) + HALF) >> FRACTION) as Time
    }

    /// How long the flits of a packet behind its first take on a channel that is so many times slower.
    pub fn tail(&self, flits: u64, slower: f64) -> Time {
        // A quotient of 1 changes no time below 2^53 ps.
        (self.time(flits - 1) as f64 * slower).round() as Time
    }

    /// The first cycle at `time` or later.
    #[inline]
    pub fn cycle(&self, time: Time) -> u64 {
        let scaled = u128::from(time) << FRACTION;
        scaled.saturating_sub(HALF).div_ceil(self.cycle) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cycles_that_are_no_whole_picoseconds_do_not_add_up_errors() {
        // 8 bytes at 2.8 GB/s.
        let clock = Clock::new(8.0 / 2.8e9);
        assert_eq!([1, 2, 7].map(|cycle| clock.time(cycle)), [2857, 5714, 20_000]);
        assert_eq!(clock.time(7_000_000_000), 20_000_000_000_000);
        assert_eq!([0, 1, 2857, 2858, 5714].map(|time| clock.cycle(time)), [0, 1, 1, 2, 2]);
    }

    proptest! {
        #[test]
        fn the_cycle_of_a_time_is_the_first_that_is_not_before_it(
            cycle_ps in 10.0..1e12, time in 0..1_u64 << 60
        ) {
            let clock = Clock::new(cycle_ps * 1e-12);
            let cycle = clock.cycle(time);
            prop_assert!(clock.time(cycle) >= time);
            prop_assert!(cycle == 0 || clock.time(cycle - 1) < time);
        }
    }
}
