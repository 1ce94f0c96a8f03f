//! How long ranks compute between their calls: not at all, or as long as it took when it was measured.
//!
//! A stretch lasts from the end of a call of the program to the begin of the next. Calls that a
//! collective makes are none of the program's.

mod recorded;

pub use recorded::{Stretch, Times, from_bytes, to_bytes};

use crate::time::{Time, from_seconds};
use engine::{Clock, thread_clock};
use ranks::EngineOption;
use recorded::Numbers;
use std::rc::Rc;

/// Stands for the call that a rank does not make because its program ends.
const END: &str = "the end of the program";
/// How often the clock is read to learn how long that takes.
const READINGS: u32 = 1000;

/// What computing costs in a run.
#[derive(Debug, Clone, Default)]
pub enum Charge {
    /// Nothing; programs may declare a time.
    #[default]
    Free,
    /// The processor time that it takes here, which the run notes.
    Measured,
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
}

#[derive(Debug, Default)]
enum Mode {
    #[default]
    Free,
    Measure {
        found: Times,
        clock: Clock,
        reading_s: f64,
    },
    Replay {
        times: Rc<Times>,
        factor: f64,
        places: Vec<Place>,
    },
}

/// How far a rank is in what was noted.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    /// The next stretch, and the number of calls other than tests so far.
    next: usize,
    acted: usize,
}

#[derive(Debug, Clone, Copy)]
struct RankClock {
    /// Processor time when its last call ended.
    since_s: f64,
    counts: bool,
}

impl Computing {
    /// The stretches of `ranks` ranks.
    ///
    /// # Errors
    /// When what was noted is of another number of ranks.
    pub fn new(charge: &Charge, ranks: usize) -> Result<Self, String> {
        let mode = match charge {
            Charge::Free => return Ok(Self::default()),
            Charge::Measured => Mode::Measure {
                found: Times { ranks: vec![vec![]; ranks], ..Times::default() },
                clock: thread_clock(),
                reading_s: reading_s(),
            },
            Charge::Recorded(times, _) if times.ranks.len() != ranks => {
                return Err(format!(
                    "the computing of {} ranks was measured, and the program has {ranks}",
                    times.ranks.len()
                ));
            }
            Charge::Recorded(times, factor) => {
                let places = vec![Place::default(); ranks];
                Mode::Replay { times: Rc::clone(times), factor: *factor, places }
            }
        };
        let clocks = vec![RankClock { since_s: 0.0, counts: true }; ranks];
        Ok(Self { is_charged: true, mode, numbers: Numbers::default(), clocks })
    }

    /// Whether computing takes time.
    #[inline]
    pub fn is_charged(&self) -> bool {
        self.is_charged
    }

    /// The rank begins to compute.
    #[inline]
    pub fn begin(&mut self, rank: u32) {
        if let Mode::Measure { clock, .. } = self.mode {
            self.clocks[rank as usize].since_s = clock.seconds();
        }
    }

    /// The rank has begun a call of its program. Returns how long it has computed before.
    ///
    /// # Errors
    /// When it made another call at this place while its computing was measured.
    pub fn end(&mut self, rank: u32, call: &'static str) -> Result<Time, String> {
        let now_s = match self.mode {
            Mode::Measure { clock, .. } => clock.seconds(),
            _ => 0.0,
        };
        let clock = self.clocks[rank as usize];
        let place = rank as usize;
        let seconds = match &mut self.mode {
            Mode::Free => 0.0,
            Mode::Measure { found, reading_s, .. } => {
                let spent_s = (now_s - clock.since_s - *reading_s).max(0.0);
                let spent_s = if clock.counts { spent_s } else { 0.0 };
                let call = self.numbers.of(call, || number(call, &mut found.calls));
                let (tests, ns) = (tests(found.name(call)), (spent_s * 1e9).round() as u64);
                found.ranks[place].push(Stretch { call, tests, ns });
                spent_s
            }
            Mode::Replay { times, factor, places } => {
                let number = self.numbers.of(call, || {
                    let known = times.calls.iter().position(|known| known == call);
                    known.map_or(u32::MAX, |place| place as u32)
                });
                let ns = places[place].pass(times, place, call, number)?;
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
    pub fn finish(&mut self, rank: u32) -> Result<Time, String> {
        match self.is_charged {
            true => self.end(rank, END),
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

impl Place {
    /// Passes the next stretch of a rank, which ends with this call. Returns its time.
    fn pass(&mut self, times: &Times, rank: usize, call: &str, number: u32) -> Result<u64, String> {
        let noted = &times.ranks[rank];
        if tests(call) {
            // More tests than before find a rank that does nothing else.
            return Ok(match noted.get(self.next) {
                Some(stretch) if stretch.tests => {
                    self.next += 1;
                    stretch.ns
                }
                _ => 0,
            });
        }
        while noted.get(self.next).is_some_and(|stretch| stretch.tests) {
            self.next += 1;
        }
        self.acted += 1;
        let stretch = noted.get(self.next).copied();
        self.next += 1;
        match stretch {
            Some(stretch) if stretch.call == number => Ok(stretch.ns),
            found => {
                let before = found.map_or(END, |stretch| times.name(stretch.call));
                let (acted, option) = (self.acted, EngineOption("compute"));
                Err(format!(
                    "while computing was measured, call {acted} of this rank was {before}, and it is \
                     {call} now: what the program does depends on the time, so measured computing \
                     does not fit; set {option} to declared"
                ))
            }
        }
    }
}

/// Whether a call of this name only tests or probes.
fn tests(call: &str) -> bool {
    let name = call.split_once('_').map_or(call, |(_, name)| name);
    let names = ["Iprobe", "Improbe", "Request_get_status", "Win_test"];
    name.starts_with("Test") || names.contains(&name)
}

fn number(call: &str, calls: &mut Vec<String>) -> u32 {
    calls.push(call.into());
    calls.len() as u32 - 1
}

/// How long it takes to read the clock: the least of many times.
fn reading_s() -> f64 {
    let clock = thread_clock();
    let times = (0..READINGS).map(|_| {
        let before_s = clock.seconds();
        clock.seconds() - before_s
    });
    times.fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests;
