//! Where a thread is in what was noted of it.

use super::END;
use super::recorded::{Stretch, Times};
use ranks::EngineOption;

/// Calls of threads that may happen more or less often, as others are earlier or later.
const LOOKS: [&str; 11] = [
    "pthread_cond_clockwait",
    "pthread_cond_timedwait",
    "pthread_cond_wait",
    "pthread_mutex_trylock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_trywrlock",
    "sched_yield",
    "sem_trywait",
    "std::atomic::notify",
    "std::atomic::wait",
    "std::future::wait",
];

/// How far a thread is in what was noted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Place {
    /// The next stretch, and the number of calls other than tests so far.
    next: usize,
    acted: usize,
}

impl Place {
    /// What a thread computed before it looked for another one, in nanoseconds, if it looks no more:
    /// the first look ends what it does for itself, the further ones end the loop in which it waits.
    fn before_a_look(&self, times: &Times, noted: &[Stretch]) -> u64 {
        let begins = self
            .next
            .checked_sub(1)
            .is_none_or(|before| noted.get(before).is_none_or(|at| !at.tests));
        let skipped = noted.get(self.next).filter(|stretch| begins && stretch.tests);
        let looked = skipped.filter(|stretch| LOOKS.contains(&times.name(stretch.call)));
        looked.map_or(0, |stretch| stretch.ns)
    }

    /// Passes the next stretch of a thread, which ends with this call. Returns its time.
    pub fn pass(
        &mut self,
        times: &Times,
        noted: &[Stretch],
        call: &str,
        number: u32,
    ) -> Result<u64, String> {
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
        let more_ns = self.before_a_look(times, noted);
        while noted.get(self.next).is_some_and(|stretch| stretch.tests) {
            self.next += 1;
        }
        self.acted += 1;
        let stretch = noted.get(self.next).copied();
        self.next += 1;
        match stretch {
            Some(stretch) if stretch.call == number => Ok(stretch.ns + more_ns),
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

/// Whether a call of this name only tests or probes, or looks for what another thread does.
pub fn tests(call: &str) -> bool {
    let name = call.split_once('_').map_or(call, |(_, name)| name);
    let names = ["Iprobe", "Improbe", "Request_get_status", "Win_test"];
    name.starts_with("Test") || names.contains(&name) || LOOKS.contains(&call)
}
