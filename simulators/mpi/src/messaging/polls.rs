//! How long nothing has happened but tests without success.

use crate::time::Time;

#[derive(Debug, Default)]
pub struct Polls {
    /// How many timers let a rank test again.
    pub under_way: usize,
    /// How often ranks have tested again since anything else happened, and when that was.
    pub in_vain: u64,
    since: Time,
}

impl Polls {
    /// Time has passed since `before`. Has anything happened beside tests?
    #[inline]
    pub fn note(&mut self, before: Time, only_tests: bool) {
        if !only_tests {
            self.in_vain = 0;
            return;
        }
        if self.in_vain == 0 {
            self.since = before;
        }
        self.in_vain += 1;
    }

    /// At the time `now`: since when nothing else has happened.
    pub fn quiet_since(&self, now: Time) -> Time {
        if self.in_vain == 0 { now } else { self.since }
    }
}
