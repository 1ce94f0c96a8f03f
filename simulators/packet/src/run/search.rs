//! Finds the saturation throughput by bisection over the injection rate.

/// The search ends when the rate is known to this share of itself.
pub const TOLERANCE: f64 = 0.01;
/// With so much of the offered flits left over, neither answer is certain, and a window that is
/// longer by the factor decides.
const UNCERTAIN: std::ops::Range<f64> = 0.005..0.04;
const LONGER: u64 = 4;
/// Share of the upper end below which the search gives up.
const LOWEST: f64 = 1e-4;

/// What one rate showed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Probe {
    pub saturated: bool,
    /// Share of the offered flits by which the backlog grew.
    pub left_over: f64,
    pub accepted_rate: f64,
}

/// The largest rate that was found stable, and what was accepted there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Saturation {
    pub throughput: f64,
    pub injection_rate: f64,
    /// Whether a rate was found that could not be kept up; otherwise the network may take more.
    pub saturated: bool,
}

/// Bisects between 0 and `upper`, which is tried first. `probe` measures at a rate, for so many
/// windows.
pub fn saturation(
    upper: f64,
    mut probe: impl FnMut(f64, u64) -> Result<Probe, String>,
) -> Result<Saturation, String> {
    let (mut unstable, mut rate) = (upper, upper);
    let mut best: Option<Saturation> = None;
    loop {
        let mut found = probe(rate, 1)?;
        if UNCERTAIN.contains(&found.left_over) {
            found = probe(rate, LONGER)?;
        }
        if found.saturated {
            unstable = rate;
        } else {
            let throughput = found.accepted_rate;
            // Only the upper end is ever tried before an unstable rate.
            let saturated = rate < upper;
            let stable = Saturation { throughput, injection_rate: rate, saturated };
            best = Some(stable);
            if !saturated {
                return Ok(stable);
            }
        }
        let stable_rate = best.map_or(0.0, |best| best.injection_rate);
        match best {
            Some(best) if unstable - stable_rate <= TOLERANCE * unstable => return Ok(best),
            None if unstable < LOWEST * upper => {
                return Err(format!("saturated even at an injection rate of {unstable}"));
            }
            _ => rate = (stable_rate + unstable) / 2.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A network that takes `limit`; a short window mistakes rates just above it.
    fn network(limit: f64) -> impl FnMut(f64, u64) -> Result<Probe, String> {
        move |rate, windows| {
            let left_over = (1.0 - limit / rate).max(0.0);
            let saturated = left_over > if windows > 1 { 0.0 } else { 0.03 };
            Ok(Probe { saturated, left_over, accepted_rate: rate.min(limit) })
        }
    }

    #[test]
    fn the_limit_is_found_within_the_tolerance() {
        for limit in [0.9, 0.3141, 0.02] {
            let found = saturation(1.0, network(limit)).unwrap();
            assert!(found.injection_rate <= limit * 1.005, "{limit}: {found:?}");
            assert!(found.injection_rate >= limit * (1.0 - TOLERANCE), "{limit}: {found:?}");
            assert!(found.throughput <= limit && found.saturated);
        }
    }

    #[test]
    fn a_network_that_takes_everything_is_asked_once() {
        let mut asked = 0;
        let found = saturation(0.6, |rate, windows| {
            asked += 1;
            network(1.0)(rate, windows)
        });
        assert_eq!(
            found,
            Ok(Saturation { throughput: 0.6, injection_rate: 0.6, saturated: false })
        );
        assert_eq!(asked, 1);
    }

    #[test]
    fn a_network_that_takes_nothing_is_an_error() {
        assert!(saturation(1.0, network(0.0)).unwrap_err().contains("saturated even at"));
    }
}
