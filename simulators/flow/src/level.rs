//! The level of one channel under max-min fairness: the rate that its flows get unless they have less
//! elsewhere on their route. A channel that its flows cannot fill has no level: an infinite one.

/// Relative change of a level below which it counts as unchanged.
const TOLERANCE: f64 = 1e-12;

/// No level is a NaN, for which `f64::min` has to look.
#[inline]
pub fn lesser(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// Also of an infinite level from any other.
#[inline]
pub fn differ(a: f64, b: f64) -> bool {
    (a - b).abs() > TOLERANCE * lesser(a, b)
}

/// The level to which flows fill a channel, each up to its limit elsewhere.
pub fn filled(bandwidth: f64, elsewhere: &[f64]) -> f64 {
    let count = elsewhere.len() as u32;
    let mut level = bandwidth / f64::from(count);
    loop {
        let (mut rest, mut free) = (bandwidth, count);
        for &least in elsewhere {
            if least < level {
                rest -= least;
                free -= 1;
            }
        }
        if free == count {
            return level;
        }
        if free == 0 {
            return f64::INFINITY;
        }
        let next = rest / f64::from(free);
        if next <= level {
            return level;
        }
        level = next;
    }
}

/// The same of two flows, bit by bit, without a division.
#[inline]
pub fn filled_by_two(bandwidth: f64, one: f64, other: f64) -> f64 {
    let half = bandwidth / 2.0;
    let (less, more) = if other < one { (other, one) } else { (one, other) };
    if less >= half {
        return half;
    }
    let level = (bandwidth - less).max(half);
    if more < level { f64::INFINITY } else { level }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Also limits that coincide with what others leave.
    fn limits() -> impl Strategy<Value = f64> {
        prop_oneof![
            0.01..1.2_f64,
            (1_u32..8).prop_map(|part| f64::from(part) / 8.0),
            Just(f64::INFINITY)
        ]
    }

    proptest! {
        #[test]
        fn two_flows_fill_a_channel_as_any_number_does(
            bandwidth in prop_oneof![Just(1.0), 0.1..4.0_f64],
            one in limits(),
            other in limits(),
        ) {
            let level = filled(bandwidth, &[one, other]);
            prop_assert_eq!(filled_by_two(bandwidth, one, other).to_bits(), level.to_bits());
        }

        #[test]
        fn flows_use_all_of_a_full_channel(
            bandwidth in 0.1..4.0_f64,
            elsewhere in prop::collection::vec(limits(), 1..9),
        ) {
            let level = filled(bandwidth, &elsewhere);
            let used: f64 = elsewhere.iter().map(|&least| least.min(level)).sum();
            match level.is_finite() {
                true => prop_assert!((used - bandwidth).abs() < 1e-9),
                false => prop_assert!(used < bandwidth + 1e-9),
            }
        }
    }

    #[test]
    fn a_channel_with_and_one_without_a_level_differ() {
        assert!(differ(f64::INFINITY, 1.0) && differ(1.0, f64::INFINITY));
        assert!(!differ(f64::INFINITY, f64::INFINITY) && !differ(1.0 / 3.0, 1.0 - 2.0 / 3.0));
    }
}
