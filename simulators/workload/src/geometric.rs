//! Geometric numbers without logarithms.

use crate::Random;

/// Number of failures before the first success of tosses that succeed with probability `p`.
///
/// Inversion: the largest `n` with `u < (1 - p)^n`, found bit by bit from powers made by squaring.
/// Only products and comparisons are used, so a seed means the same on every platform, which a
/// logarithm of the system's library would not promise.
#[derive(Debug, Clone)]
pub struct Geometric {
    /// `(1 - p)^(2^i)`, until it is smaller than every positive number drawn, or `2^i` larger than
    /// any time.
    powers: Vec<f64>,
}

/// More would overflow sums of what is drawn.
const MOST_POWERS: usize = 60;
/// Smallest positive value of [`Random::fraction`].
const SMALLEST: f64 = 1.0 / (1_u64 << 53) as f64;

impl Geometric {
    /// `p` within 0 < p ≤ 1.
    pub fn new(p: f64) -> Self {
        let mut powers = vec![1.0 - p];
        while powers[powers.len() - 1] >= SMALLEST && powers.len() < MOST_POWERS {
            let last = powers[powers.len() - 1];
            powers.push(last * last);
        }
        Self { powers }
    }

    /// Draws one number.
    #[inline]
    pub fn draw(&self, random: &mut Random) -> u64 {
        // Zero would ask for infinitely many failures.
        let u = random.fraction().max(SMALLEST);
        let (mut failures, mut power) = (0, 1.0);
        // Larger powers ask for more failures than most draws have; until the first that fits, `power` is 1.
        let first = self.powers.iter().rposition(|&factor| u < factor).map_or(0, |bit| bit + 1);
        for (bit, factor) in self.powers[..first].iter().enumerate().rev() {
            let next = power * factor;
            if u < next {
                power = next;
                failures += 1 << bit;
            }
        }
        failures
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_variance_are_those_of_the_distribution() {
        for p in [0.9, 0.3, 0.01, 0.0004] {
            let (geometric, mut random) = (Geometric::new(p), Random::new(3));
            let count = 200_000;
            let drawn: Vec<f64> = (0..count).map(|_| geometric.draw(&mut random) as f64).collect();
            let mean = drawn.iter().sum::<f64>() / f64::from(count);
            let variance = drawn.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / f64::from(count);
            let (expected, spread) = ((1.0 - p) / p, (1.0 - p).sqrt() / p);
            // Five standard errors of the mean; the variance's own is about 3 times as wide.
            assert!(
                (mean - expected).abs() < 5.0 * spread / f64::from(count).sqrt(),
                "{p}: {mean}"
            );
            assert!((variance / (spread * spread) - 1.0).abs() < 0.05, "{p}: {variance}");
        }
    }

    #[test]
    fn hardly_any_success_takes_very_long() {
        assert!(Geometric::new(1e-30).draw(&mut Random::new(3)) > 1 << 59);
    }

    #[test]
    fn certain_success_has_no_failures() {
        let (geometric, mut random) = (Geometric::new(1.0), Random::new(3));
        assert!((0..100).all(|_| geometric.draw(&mut random) == 0));
    }
}
