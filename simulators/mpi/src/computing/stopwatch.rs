//! Processor time at the cost of a clock of wall time.
//!
//! The kernel answers how much processor time a thread has used, and a question takes as long as a short
//! stretch of a program. The code behind it is slower, too: the kernel has used caches and predictors of
//! branches. So the kernel is asked only where the thread may have lost its processor.

/// A thread that loses its processor does so for longer than this.
const SHORT_NS: f64 = 10e3;
/// Interrupts take a few microseconds of so much time at most.
const WINDOW_NS: f64 = 1e6;

/// The processor time of a thread.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch {
    now_ns: f64,
    /// Wall time of the last look.
    wall_ns: f64,
    /// Both times when the kernel was asked last.
    asked_wall_ns: f64,
    asked_used_ns: f64,
}

impl Stopwatch {
    pub fn begun_at(wall_ns: f64, used_ns: f64) -> Self {
        Self { now_ns: 0.0, wall_ns, asked_wall_ns: wall_ns, asked_used_ns: used_ns }
    }

    /// The processor time so far, without what questions to the kernel took: `wall` is cheap, `used`
    /// is a question.
    #[inline]
    pub fn read(&mut self, wall: impl Fn() -> f64, used: impl FnOnce() -> f64) -> f64 {
        let wall_ns = wall();
        let passed_ns = wall_ns - self.wall_ns;
        self.wall_ns = wall_ns;
        self.now_ns += passed_ns;
        let since_asked_ns = wall_ns - self.asked_wall_ns;
        if passed_ns < SHORT_NS && since_asked_ns < WINDOW_NS {
            return self.now_ns;
        }
        let used_ns = used();
        if passed_ns >= SHORT_NS {
            let lost_ns = since_asked_ns - (used_ns - self.asked_used_ns);
            self.now_ns -= lost_ns.clamp(0.0, passed_ns);
        }
        self.asked_used_ns = used_ns;
        self.wall_ns = wall();
        self.asked_wall_ns = self.wall_ns;
        self.now_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// A question to the kernel takes so long.
    const QUESTION_NS: f64 = 400.0;

    /// Readings of a stopwatch after stretches of processor time and of time without a processor, and
    /// the number of questions.
    fn readings(stretches: &[(f64, f64)]) -> (Vec<f64>, usize) {
        let (wall, used, asked) = (Cell::new(0.0), Cell::new(0.0), Cell::new(0));
        let mut watch = Stopwatch::begun_at(0.0, 0.0);
        let take = |stretch: &(f64, f64)| {
            used.set(used.get() + stretch.0);
            wall.set(wall.get() + stretch.0 + stretch.1);
            let question = || {
                asked.set(asked.get() + 1);
                used.set(used.get() + QUESTION_NS);
                wall.set(wall.get() + QUESTION_NS);
                used.get()
            };
            watch.read(|| wall.get(), question)
        };
        (stretches.iter().map(take).collect(), asked.get())
    }

    #[test]
    fn short_stretches_need_no_question() {
        assert_eq!(readings(&[(100.0, 0.0), (9_000.0, 0.0)]), (vec![100.0, 9_100.0], 0));
    }

    #[test]
    fn neither_time_without_a_processor_nor_a_question_counts() {
        let lost_ns = 3e6;
        let (found, asked) = readings(&[(500.0, 0.0), (2_000.0, lost_ns), (300.0, 0.0)]);
        // The time that the question took is uncertain.
        for (found, expected) in found.iter().zip([500.0, 2_500.0, 2_800.0]) {
            assert!((found - expected).abs() <= QUESTION_NS, "{found} ns, not {expected}");
        }
        assert_eq!(asked, 1);
        let (found, _) = readings(&[(20e6, 0.0), (20e6, 0.0)]);
        assert_eq!(found, [20e6, 40e6]);
    }

    #[test]
    fn interrupts_of_many_short_stretches_are_not_taken_from_one_stretch() {
        // 1 ns of each 100 was spent in interrupts.
        let mut stretches = vec![(99.0, 1.0); 1_000_000];
        stretches.push((20e3, 0.0));
        let (found, _) = readings(&stretches);
        let last_ns = found[1_000_000] - found[999_999];
        assert!((last_ns - 20e3).abs() < 11e3, "{last_ns} ns");
    }
}
