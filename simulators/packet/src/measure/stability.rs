//! Whether a network keeps up with what is offered.

use super::student_t;

/// Share of the offered flits that may be left over before a network counts as saturated: below
/// this, the growth of queues in one window cannot be told from their fluctuation.
const TOLERATED: f64 = 0.01;
/// Two-sided; so one in 200 networks that keep up would be called saturated by this alone.
const CONFIDENCE: f64 = 0.99;
const BATCHES: usize = 16;

/// Flits offered and accepted in one slot of the window.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Balance {
    pub offered: f64,
    pub accepted: f64,
}

/// Whether significantly less is accepted than offered, by a t test on the growth of the backlog
/// (source queues and network together) in 16 parts of the window. In a network that keeps up,
/// growth in one part is made good in another; in a saturated one all parts grow.
pub fn falls_behind(slots: &[Balance]) -> bool {
    let size = slots.len().div_ceil(BATCHES).max(1);
    let growth: Vec<f64> = slots
        .chunks(size)
        .map(|part| part.iter().map(|slot| slot.offered - slot.accepted).sum())
        .collect();
    let (count, total) = (growth.len() as f64, growth.iter().sum::<f64>());
    let offered: f64 = slots.iter().map(|slot| slot.offered).sum();
    if total <= TOLERATED * offered || growth.len() < 2 {
        return false;
    }
    let mean = total / count;
    let squares: f64 = growth.iter().map(|g| (g - mean).powi(2)).sum();
    let error = (squares / (count - 1.0) / count).sqrt();
    mean > student_t(CONFIDENCE, growth.len() as u32 - 1) * error
}

#[cfg(test)]
mod tests {
    use super::*;
    use workload::Random;

    /// 64 slots of a queue that takes `served` flits a slot of 1000 ± 300 offered.
    fn slots(served: f64) -> Vec<Balance> {
        let (mut random, mut queue) = (Random::new(2), 0.0);
        let mut slot = || {
            let offered = 700.0 + 600.0 * random.fraction();
            let accepted = served.min(queue + offered);
            queue += offered - accepted;
            Balance { offered, accepted }
        };
        (0..64).map(|_| slot()).collect()
    }

    #[test]
    fn a_queue_that_grows_all_the_time_falls_behind() {
        assert!(falls_behind(&slots(900.0)));
        assert!(falls_behind(&[Balance { offered: 10.0, accepted: 9.0 }; 64]));
    }

    #[test]
    fn a_queue_that_fluctuates_keeps_up() {
        assert!(!falls_behind(&slots(1050.0)));
        assert!(!falls_behind(&slots(1500.0)));
        assert!(!falls_behind(&[]));
    }
}
