//! Whether a network keeps up with what is offered.

use super::student_t;

/// Share of the offered flits that may be left over before a network counts as saturated: below
/// this, the growth of queues in one window does not stand out from their fluctuation.
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

/// Flits that the network holds while it is measured.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Holding {
    pub mean_in_flight_flits: f64,
    /// Flits that come together: those of a message, or of a burst.
    pub burst_flits: f64,
}

impl Holding {
    /// Growth of the backlog that chance explains: all that is in the network, and three standard
    /// deviations of it if bursts come and go independently.
    fn by_chance(&self) -> f64 {
        let mean = self.mean_in_flight_flits;
        mean + 3.0 * (mean * self.burst_flits).sqrt()
    }
}

/// Share of the offered flits that was left over; negative if more was accepted than offered.
pub fn left_over(slots: &[Balance]) -> f64 {
    let offered: f64 = slots.iter().map(|slot| slot.offered).sum();
    let accepted: f64 = slots.iter().map(|slot| slot.accepted).sum();
    if offered > 0.0 { 1.0 - accepted / offered } else { 0.0 }
}

/// Whether less is accepted than offered: the backlog (source queues and network together) grows by
/// more than 1 % of what is offered, and either from quarter to quarter and by more than chance
/// explains in a network that keeps up, or significantly by a t test on the growth in 16 parts of the window.
pub fn falls_behind(slots: &[Balance], holding: Holding) -> bool {
    let size = slots.len().div_ceil(BATCHES).max(1);
    let growth: Vec<f64> = slots
        .chunks(size)
        .map(|part| part.iter().map(|slot| slot.offered - slot.accepted).sum())
        .collect();
    let (count, total) = (growth.len() as f64, growth.iter().sum::<f64>());
    if left_over(slots) <= TOLERATED || growth.len() < 2 {
        return false;
    }
    let mean = total / count;
    let squares: f64 = growth.iter().map(|g| (g - mean).powi(2)).sum();
    let error = (squares / (count - 1.0) / count).sqrt();
    total.min(steady_growth(slots)) > holding.by_chance()
        || mean > student_t(CONFIDENCE, growth.len() as u32 - 1) * error
}

/// Growth of the backlog over the window as the means of its quarters show it, which a few messages
/// more at the last instant hardly move; 0 unless each quarter has a larger mean than the one before.
fn steady_growth(slots: &[Balance]) -> f64 {
    let mut backlog = 0.0;
    let mut means = vec![];
    for quarter in slots.chunks(slots.len().div_ceil(4).max(1)) {
        let mut sum = 0.0;
        for slot in quarter {
            backlog += slot.offered - slot.accepted;
            sum += backlog;
        }
        means.push(sum / quarter.len() as f64);
    }
    match means[..] {
        // Three quarters of the window lie between the middles of the first and the last.
        [first, .., last] if means.is_sorted_by(|one, next| one < next) => {
            (last - first) * 4.0 / 3.0
        }
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use workload::Random;

    const HOLDING: Holding = Holding { mean_in_flight_flits: 500.0, burst_flits: 10.0 };

    /// 64 slots of a queue that takes `served` flits a slot of 1000 ± 300 offered.
    fn slots(served: f64, seed: u64) -> Vec<Balance> {
        let (mut random, mut queue) = (Random::new(seed), 0.0);
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
        assert!((0..50).all(|seed| falls_behind(&slots(900.0, seed), HOLDING)));
        let found = (0..50).filter(|&seed| falls_behind(&slots(940.0, seed), HOLDING)).count();
        assert!(found >= 45, "{found}");
        assert!(falls_behind(&[Balance { offered: 10.0, accepted: 9.0 }; 64], HOLDING));
    }

    #[test]
    fn a_queue_that_fluctuates_keeps_up() {
        let wrong = (0..50).filter(|&seed| falls_behind(&slots(1100.0, seed), HOLDING)).count();
        assert!(wrong <= 1, "{wrong}");
        assert!(!falls_behind(&slots(1500.0, 1), HOLDING));
        assert!(!falls_behind(&[], HOLDING));
    }

    #[test]
    fn a_burst_at_the_end_is_no_growth() {
        let mut slots = vec![Balance { offered: 1000.0, accepted: 1000.0 }; 64];
        slots[63].accepted = -5000.0;
        assert!(!falls_behind(&slots, HOLDING));
    }

    #[test]
    fn quarters_that_rise_by_a_little_are_chance_whatever_comes_last() {
        // The backlog is 1, 2, 3 and 4 flits in the quarters, and 50 in the last slot.
        let slot =
            |i: usize| Balance { offered: 20.0, accepted: if i % 16 == 0 { 19.0 } else { 20.0 } };
        let mut slots: Vec<Balance> = (0..64).map(slot).collect();
        slots[63].accepted = -26.0;
        let holding = Holding { mean_in_flight_flits: 2.5, burst_flits: 20.0 };
        assert!(!falls_behind(&slots, holding));
    }

    #[test]
    fn a_few_messages_more_in_the_network_at_the_end_are_chance() {
        // 3 messages of 20 flits more are 15 % of 20 messages offered.
        let mut slots = vec![Balance { offered: 20.0, accepted: 20.0 }; 20];
        slots[19].accepted = -40.0;
        let holding = Holding { mean_in_flight_flits: 20.0, burst_flits: 20.0 };
        assert!(!falls_behind(&slots, holding));
    }
}
