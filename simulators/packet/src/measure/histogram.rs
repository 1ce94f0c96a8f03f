//! Distributions of cycles in bounded memory.

/// Values below this are counted one by one.
const EXACT: u64 = 2048;
/// Binary digits of a larger value that are kept.
const DIGITS: u32 = 11;

/// Counts of cycles: exact below 2048, with 11 binary digits (0.05 %) above. Sum,
/// maximum and minimum are always exact.
#[derive(Debug, Clone)]
pub struct Histogram {
    counts: Vec<u64>,
    count: u64,
    sum: u64,
    min: u64,
    max: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { counts: Vec::new(), count: 0, sum: 0, min: u64::MAX, max: 0 }
    }
}

#[inline]
fn bucket(value: u64) -> usize {
    if value < EXACT {
        return value as usize;
    }
    let shift = u64::BITS - value.leading_zeros() - DIGITS;
    ((shift as usize) << (DIGITS - 1)) + (value >> shift) as usize
}

/// Middle of the values that share a bucket.
fn middle(bucket: usize) -> f64 {
    if (bucket as u64) < EXACT {
        return bucket as f64;
    }
    let shift = (bucket >> (DIGITS - 1)) - 1;
    let lowest = ((bucket - (shift << (DIGITS - 1))) as u64) << shift;
    lowest as f64 + ((1_u64 << shift) - 1) as f64 / 2.0
}

impl Histogram {
    #[inline]
    pub fn add(&mut self, value: u64) {
        let bucket = bucket(value);
        match self.counts.get_mut(bucket) {
            Some(count) => *count += 1,
            None => self.grow(bucket),
        }
        self.count += 1;
        self.sum += value;
        self.min = self.min.min(value);
        self.max = self.max.max(value);
    }

    #[cold]
    fn grow(&mut self, bucket: usize) {
        self.counts.resize((bucket + 1).next_power_of_two(), 0);
        self.counts[bucket] += 1;
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    pub fn sum(&self) -> u64 {
        self.sum
    }

    /// `u64::MAX` when empty.
    pub fn min(&self) -> u64 {
        self.min
    }

    pub fn max(&self) -> u64 {
        self.max
    }

    /// 0 when empty.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }

    /// Quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan).
    pub fn quantile(&self, fraction: f64) -> f64 {
        let place = fraction * self.count.saturating_sub(1) as f64;
        let (low, high) = (self.ordered(place as u64), self.ordered(place.ceil() as u64));
        low + (high - low) * place.fract()
    }

    /// The value that has `rank` values before it.
    fn ordered(&self, rank: u64) -> f64 {
        let mut before = 0;
        for (bucket, count) in self.counts.iter().enumerate() {
            before += count;
            if before > rank {
                return middle(bucket).min(self.max as f64);
            }
        }
        self.max as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(values: impl IntoIterator<Item = u64>) -> Histogram {
        let mut histogram = Histogram::default();
        values.into_iter().for_each(|value| histogram.add(value));
        histogram
    }

    #[test]
    fn quantiles_of_small_values_are_exact() {
        let small = histogram([4, 1, 3, 2]);
        assert_eq!((small.quantile(0.5), small.quantile(1.0), small.mean()), (2.5, 4.0, 2.5));
        assert!((small.quantile(0.95) - 3.85).abs() < 1e-12);
        assert_eq!(histogram([7]).quantile(0.99), 7.0);
    }

    #[test]
    fn large_values_keep_eleven_binary_digits() {
        for value in [2047, 2048, 2049, 4095, 4096, 123_456, 1 << 40] {
            let middle = middle(bucket(value));
            assert!((middle / value as f64 - 1.0).abs() < 1.0 / 2048.0, "{value}: {middle}");
            assert!(bucket(value) < bucket(value + (value >> 10) + 1));
        }
        let large = histogram((0..1000).map(|i| 1_000_000 + 1000 * i));
        assert_eq!((large.mean(), large.max()), (1_499_500.0, 1_999_000));
        assert_eq!(histogram([4099, 4097, 4098]).min(), 4097);
        assert!((large.quantile(0.5) / 1_499_500.0 - 1.0).abs() < 5e-4);
    }

    #[test]
    fn buckets_follow_each_other_without_gaps() {
        let mut last = bucket(EXACT - 1);
        for value in EXACT..40_000 {
            let next = bucket(value);
            assert!(next == last || next == last + 1, "{value}");
            last = next;
        }
    }
}
