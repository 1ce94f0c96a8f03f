//! Counts that the formulas share.

/// The base-2 logarithm, rounded up; 0 for one rank.
pub fn log2_up(ranks: u64) -> u64 {
    u64::from(ranks.max(1).next_power_of_two().trailing_zeros())
}

/// The largest power of two that is at most `ranks`.
pub fn power_below(ranks: u64) -> u64 {
    1 << ranks.max(1).ilog2()
}

/// 1, 2, 4 … below `limit`.
pub fn doublings(limit: u64) -> impl DoubleEndedIterator<Item = u64> {
    (0..log2_up(limit)).map(|exponent| 1 << exponent)
}

/// How many numbers below `limit` have the bit `bit`.
pub fn with_bit(limit: u64, bit: u64) -> u64 {
    limit / (2 * bit) * bit + (limit % (2 * bit)).saturating_sub(bit)
}

/// Hops of the blocks of all ranks down a binomial tree from rank 0: block r takes one hop for each
/// bit of r.
pub fn binomial_hops(ranks: u64) -> u64 {
    doublings(ranks).map(|bit| with_bit(ranks, bit)).sum()
}

/// The largest power of two that is at most `ranks`, and the ranks beside it.
pub fn folded(ranks: u64) -> (u64, u64) {
    let power = power_below(ranks);
    (power, ranks - power)
}
