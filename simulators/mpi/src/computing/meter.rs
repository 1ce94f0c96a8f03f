//! What computing is measured by.

use super::stopwatch::Stopwatch;
use crate::options::Compute;
use engine::{Clock, Instructions, thread_clock};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Instant;

/// How often a meter is read to learn how long that takes.
const READINGS: usize = 1001;

/// Measures what the thread computes that has made it.
#[derive(Debug, Clone)]
pub enum Meter {
    /// By its processor time.
    Time(Rc<Processor>),
    /// By its instructions: one stands for a nanosecond.
    Instructions(Rc<Instructions>),
}

/// Clocks of a thread.
#[derive(Debug)]
pub struct Processor {
    since: Instant,
    used: Clock,
    watch: Cell<Stopwatch>,
}

impl Processor {
    fn of_thread() -> Self {
        let (since, used) = (Instant::now(), thread_clock());
        let watch = Cell::new(Stopwatch::begun_at(0.0, used.seconds() * 1e9));
        Self { since, used, watch }
    }

    fn now_ns(&self) -> f64 {
        let mut watch = self.watch.get();
        let wall = || self.since.elapsed().as_nanos() as f64;
        let now_ns = watch.read(wall, || self.used.seconds() * 1e9);
        self.watch.set(watch);
        now_ns
    }
}

impl Meter {
    pub fn of_time() -> Self {
        Self::Time(Rc::new(Processor::of_thread()))
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
            Self::Time(processor) => processor.now_ns(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_thread_that_has_no_processor_computes_nothing() {
        let (meter, slept) = (Meter::of_time(), Duration::from_millis(50));
        let before_ns = meter.now_ns();
        std::thread::sleep(slept);
        let computed_ns = meter.now_ns() - before_ns;
        assert!(computed_ns < slept.as_nanos() as f64 / 10.0, "{computed_ns} ns");
    }
}
