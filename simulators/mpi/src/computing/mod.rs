//! How long ranks compute between their calls: not at all, or as long as it took when it was measured.
//!
//! A stretch lasts from the end of a call of the program to the begin of the next. Calls that a
//! collective makes are none of the program's. Threads of a rank run one at a time, and only a call lets
//! another one run: so each has stretches of its own. A wait for another thread ends none.

mod meter;
mod place;
mod recorded;
mod sampled;
mod stopwatch;

pub use meter::Meter;
pub use recorded::{Stretch, Times, from_bytes, to_bytes};

use crate::time::{Time, from_seconds};
use place::{Place, tests};
use recorded::Numbers;
use sampled::Sampled;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Stands for the call that a rank does not make because its program ends.
const END: &str = "the end of the program";

/// What computing costs in a run.
#[derive(Debug, Clone, Default)]
pub enum Charge {
    /// Nothing; programs may declare a time.
    #[default]
    Free,
    /// What it takes here by this meter, which the run notes.
    Measured(Meter),
    /// So many times the time that was noted.
    Recorded(Rc<Times>, f64),
}

/// The stretches of all ranks.
#[derive(Debug, Default)]
pub struct Computing {
    is_charged: bool,
    mode: Mode,
    numbers: Numbers,
    clocks: Vec<RankClock>,
    /// Where loops may leave out passes.
    sampled: Option<Sampled>,
}

#[derive(Debug, Default)]
enum Mode {
    #[default]
    Free,
    Measure {
        found: Times,
        meter: Meter,
        reading_ns: f64,
    },
    Replay {
        times: Rc<Times>,
        factor: f64,
        places: Vec<Place>,
        /// Of further threads, by rank and number.
        further: BTreeMap<(u32, u32), Place>,
    },
}

#[derive(Debug, Clone, Copy)]
struct RankClock {
    /// What the meter showed when its last call ended, moved by what is to be left out since then.
    since_ns: f64,
    counts: bool,
}

impl Computing {
    /// The stretches of `ranks` ranks; `samples` lets loops leave out passes.
    ///
    /// # Errors
    /// When what was noted is of another number of ranks.
    pub fn new(charge: &Charge, ranks: usize, samples: bool) -> Result<Self, String> {
        let mode = match charge {
            Charge::Free => return Ok(Self::default()),
            Charge::Measured(meter) => Mode::Measure {
                found: Times { ranks: vec![vec![]; ranks], ..Times::default() },
                meter: meter.clone(),
                reading_ns: meter.reading_ns(),
            },
            Charge::Recorded(times, _) if times.ranks.len() != ranks => {
                return Err(format!(
                    "the computing of {} ranks was measured, and the program has {ranks}",
                    times.ranks.len()
                ));
            }
            Charge::Recorded(times, factor) => {
                let places = vec![Place::default(); ranks];
                let further = BTreeMap::new();
                Mode::Replay { times: Rc::clone(times), factor: *factor, places, further }
            }
        };
        let clocks = vec![RankClock { since_ns: 0.0, counts: true }; ranks];
        let sampled = samples.then(|| Sampled::new(ranks));
        Ok(Self { is_charged: true, mode, numbers: Numbers::default(), clocks, sampled })
    }

    /// Whether computing takes time.
    #[inline]
    pub fn is_charged(&self) -> bool {
        self.is_charged
    }

    /// The rank begins to compute.
    #[inline]
    pub fn begin(&mut self, rank: u32) {
        if let Mode::Measure { meter, .. } = &self.mode {
            self.clocks[rank as usize].since_ns = meter.now_ns();
        }
    }

    /// The sampled loop at `place` begins its next pass, or ends. Returns whether the rank leaves out the
    /// body of the pass.
    ///
    /// # Errors
    /// When the rank has left another loop in the middle of a pass, and when no pass is to run.
    pub fn pass(
        &mut self,
        rank: u32,
        (place, name): (usize, impl Fn() -> String),
        passes: i64,
        goes_on: bool,
    ) -> Result<bool, String> {
        let Some(sampled) = &mut self.sampled else { return Ok(false) };
        let passes = u64::try_from(passes).unwrap_or(0);
        if passes == 0 {
            return Err("has no pass that runs: their number must be at least 1".into());
        }
        let (now_ns, reading_ns): (&dyn Fn() -> f64, f64) = match &self.mode {
            Mode::Measure { meter, reading_ns, .. } => (&|| meter.now_ns(), *reading_ns),
            _ => (&|| 0.0, 0.0),
        };
        let pass = sampled.pass(rank, (place, name), (passes, goes_on), (now_ns, reading_ns))?;
        self.clocks[rank as usize].since_ns -= pass.more_ns;
        Ok(pass.skips)
    }

    /// What is to be known about loops that have left out passes while they were measured.
    pub fn notes(&self) -> Vec<String> {
        match (&self.mode, &self.sampled) {
            (Mode::Measure { .. }, Some(sampled)) => sampled.notes(),
            _ => vec![],
        }
    }

    /// A thread of the rank has begun a call of its program. Returns how long it has computed before.
    ///
    /// # Errors
    /// When it made another call at this place while its computing was measured.
    pub fn end(&mut self, rank: u32, thread: u32, call: &'static str) -> Result<Time, String> {
        let now_ns = match &self.mode {
            Mode::Measure { meter, .. } => meter.now_ns(),
            _ => 0.0,
        };
        if let Some(sampled) = &self.sampled {
            sampled.call(rank)?;
        }
        let clock = self.clocks[rank as usize];
        let seconds = match &mut self.mode {
            Mode::Free => 0.0,
            Mode::Measure { found, reading_ns, .. } => {
                let spent_ns = (now_ns - clock.since_ns - *reading_ns).max(0.0);
                let spent_ns = if clock.counts { spent_ns } else { 0.0 };
                let call = self.numbers.of(call, || number(call, &mut found.calls));
                let (tests, ns) = (tests(found.name(call)), spent_ns.round() as u64);
                found.of_mut(rank, thread).push(Stretch { call, tests, ns });
                spent_ns * 1e-9
            }
            Mode::Replay { times, factor, places, further } => {
                let number = self.numbers.of(call, || {
                    let known = times.calls.iter().position(|known| known == call);
                    known.map_or(u32::MAX, |place| place as u32)
                });
                let place = match thread {
                    0 => &mut places[rank as usize],
                    _ => further.entry((rank, thread)).or_default(),
                };
                let ns = place.pass(times, times.of(rank, thread), call, number)?;
                ns as f64 * 1e-9 * *factor
            }
        };
        Ok(from_seconds(seconds))
    }

    /// What the rank computes from now on counts or does not: before `MPI_Init` and after
    /// `MPI_Finalize`, a measurement of the program counts nothing either. A stretch that has begun
    /// counts as it ends.
    pub fn counts(&mut self, rank: u32, counts: bool) {
        if let Some(clock) = self.clocks.get_mut(rank as usize) {
            clock.counts = counts;
        }
    }

    /// The program of the rank has ended. Returns how long it has computed since its last call.
    ///
    /// # Errors
    /// As [`Self::end`].
    pub fn finish(&mut self, rank: u32, thread: u32) -> Result<Time, String> {
        match self.is_charged {
            true => self.end(rank, thread, END),
            false => Ok(0),
        }
    }

    /// What was measured.
    pub fn found(self) -> Option<Times> {
        match self.mode {
            Mode::Measure { found, .. } => Some(found),
            _ => None,
        }
    }
}

fn number(call: &str, calls: &mut Vec<String>) -> u32 {
    calls.push(call.into());
    calls.len() as u32 - 1
}

#[cfg(test)]
mod tests;
