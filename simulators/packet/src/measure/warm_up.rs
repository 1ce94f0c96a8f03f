//! When a network that began empty is steady.
//!
//! MSER-5 (White, "An effective truncation heuristic for bias reduction in simulation output",
//! Simulation 69, 1997): of means of five observations, drop as many from the front as makes the
//! squared standard error of the rest smallest. If more than half would go, the run is too short.

/// Observations in a mean.
const GROUP: usize = 5;
/// Means that must be left.
const LEAST: usize = 5;

/// Number of observations to drop, and whether the run was long enough to decide.
pub fn truncation(observations: &[f64]) -> (usize, bool) {
    let means: Vec<f64> = observations
        .chunks_exact(GROUP)
        .map(|group| group.iter().sum::<f64>() / GROUP as f64)
        .collect();
    if means.len() <= LEAST {
        return (observations.len(), false);
    }
    // Welford's update from the back: mean and sum of squares of all means from `i` on.
    let (mut mean, mut squares) = (0.0, 0.0);
    let (mut best, mut smallest) = (means.len(), f64::INFINITY);
    for (i, value) in means.iter().enumerate().rev() {
        let count = (means.len() - i) as f64;
        let difference = value - mean;
        mean += difference / count;
        squares += difference * (value - mean);
        let error = squares / (count * count);
        if means.len() - i >= LEAST && error <= smallest {
            (best, smallest) = (i, error);
        }
    }
    (best * GROUP, best <= means.len() / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use workload::Random;

    /// A level that is reached exponentially with time constant `rise`, with noise.
    fn rising(rise: f64, count: usize) -> Vec<f64> {
        let mut random = Random::new(5);
        let level = |i: usize| 100.0 * (1.0 - (-(i as f64) / rise).exp());
        (0..count).map(|i| level(i) + 10.0 * random.fraction()).collect()
    }

    #[test]
    fn the_rise_is_dropped_and_little_more() {
        let (dropped, enough) = truncation(&rising(30.0, 1000));
        assert!(enough && (60..300).contains(&dropped), "{dropped}");
    }

    #[test]
    fn a_run_that_still_rises_is_too_short() {
        assert!(!truncation(&rising(500.0, 400)).1);
        assert!(!truncation(&rising(1.0, 25)).1);
    }

    #[test]
    fn a_steady_run_loses_nothing() {
        assert_eq!(truncation(&vec![7.0; 200]), (0, true));
    }
}
