//! Division by a number that is known when the network is built.

/// Divides numbers below 2^31 by one multiplication instead of a division, which is several times
/// slower and would be needed for every head at every router.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Divisor {
    divisor: u32,
    /// 2^63 / divisor, rounded up; the error stays below 1 / divisor as long as number · divisor
    /// is below 2^63.
    reciprocal: u64,
}

impl Divisor {
    pub(crate) fn new(divisor: u32) -> Self {
        Self { divisor, reciprocal: (1 << 63) / u64::from(divisor) + 1 }
    }

    #[inline]
    pub(crate) fn quotient(self, number: u32) -> u32 {
        ((u128::from(number) * u128::from(self.reciprocal)) >> 63) as u32
    }

    /// Quotient and remainder.
    #[inline]
    pub(crate) fn divide(self, number: u32) -> (u32, u32) {
        let quotient = self.quotient(number);
        (quotient, number - quotient * self.divisor)
    }

    #[inline]
    pub(crate) fn get(self) -> u32 {
        self.divisor
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn it_divides_like_the_machine(number in 0_u32..1 << 31, divisor in 1_u32..1 << 24) {
            let wanted = (number / divisor, number % divisor);
            prop_assert_eq!(Divisor::new(divisor).divide(number), wanted);
            let small = divisor % 64 + 1;
            let multiple = number / small * small;
            prop_assert_eq!(Divisor::new(small).divide(multiple), (number / small, 0));
        }
    }
}
