//! What computing is measured by.

use crate::options::Compute;
use engine::{Clock, Instructions, thread_clock};
use std::rc::Rc;

/// How often a meter is read to learn how long that takes.
const READINGS: usize = 1001;

/// Measures what the thread computes that has made it.
#[derive(Debug, Clone)]
pub enum Meter {
    /// By its processor time.
    Time(Clock),
    /// By its instructions: one stands for a nanosecond.
    Instructions(Rc<Instructions>),
}

impl Meter {
    pub fn of_time() -> Self {
        Self::Time(thread_clock())
    }

    /// By what this choice charges. Confinement closes the call of the system that opens a counter.
    ///
    /// # Errors
    /// When that is instructions, and the processor or the system does not show how many there are.
    pub fn of(compute: Compute) -> Result<Self, String> {
        match compute {
            Compute::Scaled => Ok(Self::Instructions(Rc::new(Instructions::of_thread()?))),
            _ => Ok(Self::of_time()),
        }
    }

    #[inline]
    pub fn now_ns(&self) -> f64 {
        match self {
            Self::Time(clock) => clock.seconds() * 1e9,
            Self::Instructions(counter) => counter.count() as f64,
        }
    }

    /// What a look at the meter adds to it: the median of many times. The least of them leaves about
    /// 10 ns in each stretch, which add up over a million calls.
    pub fn reading_ns(&self) -> f64 {
        let reading = |_| {
            let before_ns = self.now_ns();
            self.now_ns() - before_ns
        };
        let mut times: Vec<f64> = (0..READINGS).map(reading).collect();
        times.sort_by(f64::total_cmp);
        times[READINGS / 2]
    }
}
