//! How sure a mean is, from the means of batches of one long run.
//!
//! Successive observations of a queue depend on each other; means of long batches hardly do. Pairs
//! of batches are joined until their lag-1 correlation is no longer significant (Fishman, "Grouping
//! Observations in Digital Simulation", Management Science 24, 1978, doubles batches in this way), and
//! once more, as the test sees strong correlation only.

use super::student_t;

/// Batches are not joined further when this many or fewer would be left.
pub const FEWEST: usize = 8;
/// One-sided 5 % point of the normal distribution.
const SIGNIFICANT: f64 = 1.645;

/// A sum and the weight that it is divided by: flits and cycles, or latencies and packets.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Batch {
    pub sum: f64,
    pub weight: f64,
}

impl Batch {
    fn mean(self) -> f64 {
        self.sum / self.weight
    }
}

/// Half width of the confidence interval of the mean; `None` with fewer than two batches that have
/// a weight.
pub fn half_width(batches: &[Batch], confidence: f64) -> Option<f64> {
    let mut batches: Vec<Batch> = batches.iter().copied().filter(|b| b.weight > 0.0).collect();
    let mut alike = true;
    while alike && batches.len() / 2 >= FEWEST {
        alike = correlated(&batches);
        batches = batches.chunks_exact(2).map(join).collect();
    }
    let count = batches.len();
    if count < 2 {
        return None;
    }
    let error = (variance(&batches) / count as f64).sqrt();
    Some(student_t(confidence, count as u32 - 1) * error)
}

fn join(pair: &[Batch]) -> Batch {
    let sum = |value: fn(&Batch) -> f64| pair.iter().map(value).sum();
    Batch { sum: sum(|b| b.sum), weight: sum(|b| b.weight) }
}

fn mean(batches: &[Batch]) -> f64 {
    batches.iter().map(|b| b.mean()).sum::<f64>() / batches.len() as f64
}

fn variance(batches: &[Batch]) -> f64 {
    let mean = mean(batches);
    let squares: f64 = batches.iter().map(|b| (b.mean() - mean).powi(2)).sum();
    squares / (batches.len() - 1) as f64
}

/// Whether neighbours are alike more than by chance.
fn correlated(batches: &[Batch]) -> bool {
    let (mean, count) = (mean(batches), batches.len() as f64);
    let square = |b: &Batch| (b.mean() - mean).powi(2);
    let total: f64 = batches.iter().map(square).sum();
    let lagged: f64 =
        batches.windows(2).map(|pair| (pair[0].mean() - mean) * (pair[1].mean() - mean)).sum();
    total > 0.0 && lagged / total > SIGNIFICANT / count.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use workload::Random;

    /// Batches of one observation each from `x' = memory · x + noise`, which has mean 0.
    fn process(memory: f64, count: usize, random: &mut Random) -> Vec<Batch> {
        let mut x = 0.0;
        let mut next = || {
            let noise: f64 = (0..12).map(|_| random.fraction()).sum::<f64>() - 6.0;
            x = memory * x + noise;
            Batch { sum: x, weight: 1.0 }
        };
        (0..100).for_each(|_| {
            next();
        });
        (0..count).map(|_| next()).collect()
    }

    /// Share of runs whose interval holds the true mean.
    fn coverage(memory: f64, count: usize) -> f64 {
        let mut random = Random::new(17);
        let holds = (0..1000).filter(|_| {
            let batches = process(memory, count, &mut random);
            mean(&batches).abs() <= half_width(&batches, 0.95).unwrap()
        });
        holds.count() as f64 / 1000.0
    }

    #[test]
    fn intervals_of_independent_observations_cover_as_often_as_they_say() {
        let share = coverage(0.0, 128);
        assert!((0.93..0.97).contains(&share), "{share}");
    }

    #[test]
    fn intervals_of_correlated_observations_cover_nearly_as_often() {
        // Without joining, only 66 % of the intervals hold the mean.
        let share = coverage(0.6, 128);
        assert!((0.90..0.97).contains(&share), "{share}");
    }

    #[test]
    fn a_single_batch_says_nothing_about_spread() {
        assert_eq!(half_width(&[Batch { sum: 3.0, weight: 1.0 }], 0.95), None);
        let empty = Batch::default();
        assert_eq!(half_width(&[empty, empty, Batch { sum: 3.0, weight: 1.0 }], 0.95), None);
    }
}
