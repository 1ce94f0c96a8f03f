//! The random number generator of all workloads.

use fabric::routing::Draw;
use rand_core::RngCore;
use rand_pcg::Pcg64;

/// PCG XSL 128/64 with bounded integers by Lemire's multiplication method.
#[derive(Debug, Clone)]
pub struct Random(Pcg64);

/// One step of SplitMix64, which spreads small seeds over the whole state.
fn splitmix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut state = seed;
        let mut word = || u128::from(splitmix(&mut state)) << 64 | u128::from(splitmix(&mut state));
        Self(Pcg64::new(word(), word()))
    }

    /// Uniform integer in `0..bound`; `bound` must not be 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        let bound = u64::from(bound);
        loop {
            let product = (self.0.next_u64() >> 32) * bound;
            let low = product & 0xffff_ffff;
            // The remainder is below the bound, so it is seldom needed; it costs a division.
            if low >= bound || low >= (1_u64 << 32) % bound {
                return (product >> 32) as u32;
            }
        }
    }

    /// Uniform number in `[0, 1)` with 53 random bits.
    #[inline]
    pub fn fraction(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

impl Draw for Random {
    #[inline]
    fn below(&mut self, bound: u32) -> u32 {
        Random::below(self, bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_numbers_on_every_platform() {
        let mut random = Random::new(1);
        let drawn: Vec<u32> = (0..8).map(|_| random.below(1000)).collect();
        assert_eq!(drawn, EXPECTED);
    }

    const EXPECTED: [u32; 8] = [326, 388, 153, 469, 786, 281, 504, 780];

    #[test]
    fn bounded_numbers_cover_their_range_evenly() {
        let mut random = Random::new(7);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[random.below(6) as usize] += 1;
        }
        assert!(counts.iter().all(|&c| c.abs_diff(10_000) < 500), "{counts:?}");
    }
}
