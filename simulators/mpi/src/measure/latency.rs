//! Latencies in all, and by the interval in which they ended.

use super::intervals::{Intervals, Join, Numbers, PerInterval};
use crate::time::{Time, to_seconds};

/// Count, sum and maximum.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Latencies {
    pub count: u64,
    sum_ps: u128,
    max_ps: Time,
}

impl Latencies {
    #[inline]
    pub fn add(&mut self, latency_ps: Time) {
        self.count += 1;
        self.sum_ps += u128::from(latency_ps);
        self.max_ps = self.max_ps.max(latency_ps);
    }

    pub fn mean_s(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum_ps as f64 / self.count as f64 * 1e-12)
    }

    pub fn max_s(&self) -> Option<f64> {
        (self.count > 0).then(|| to_seconds(self.max_ps))
    }
}

impl Join for Latencies {
    fn join(&mut self, later: &Self, _: Time) {
        self.count += later.count;
        self.sum_ps += later.sum_ps;
        self.max_ps = self.max_ps.max(later.max_ps);
    }
}

/// Latencies by the interval in which they ended.
#[derive(Debug, Clone)]
pub struct LatencySeries {
    numbers: Numbers,
    values: PerInterval<Latencies>,
}

impl LatencySeries {
    pub fn new(interval_ps: Time) -> Self {
        Self { numbers: Numbers::new(interval_ps), values: PerInterval::new(interval_ps, 1) }
    }

    #[inline]
    pub fn add(&mut self, ended: Time, latency_ps: Time) {
        // A latency that ends when its interval ends belongs to it: so the end of a run has an interval.
        let number = self.numbers.of(ended.saturating_sub(1));
        self.values.row(number)[0].add(latency_ps);
    }

    pub fn shift(&self) -> u32 {
        self.values.shift()
    }

    pub fn fit(&mut self, intervals: &Intervals) {
        self.values.fit(intervals);
    }

    pub fn rows(&self) -> impl Iterator<Item = &Latencies> {
        self.values.rows().map(|row| &row[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_latency_counts_in_the_interval_in_which_it_ended() {
        let mut series = LatencySeries::new(1_000_000);
        series.add(1_000_000, 400_000);
        series.add(1_000_001, 600_000);
        series.add(1_900_000, 800_000);
        series.fit(&Intervals::new(1_000_000, 0, 2_500_000));
        let means: Vec<_> = series.rows().map(Latencies::mean_s).collect();
        assert_eq!(means, [Some(4e-7), Some(7e-7), None]);
    }

    #[test]
    fn mean_and_maximum_of_none_are_none() {
        assert_eq!((Latencies::default().mean_s(), Latencies::default().max_s()), (None, None));
    }
}
