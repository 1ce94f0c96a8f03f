//! Simulated time in whole picoseconds, so that sums do not depend on their order.

/// Picoseconds since the program began; 2^64 of them are 213 days.
pub type Time = u64;

/// Never.
pub const NEVER: Time = Time::MAX;

const PICOSECONDS_PER_S: f64 = 1e12;

/// Seconds to the nearest picosecond. Negative values and NaN become 0.
pub fn from_seconds(seconds: f64) -> Time {
    nearest(seconds * PICOSECONDS_PER_S)
}

/// Picoseconds to seconds, for metrics.
pub fn to_seconds(time: Time) -> f64 {
    time as f64 / PICOSECONDS_PER_S
}

/// Time for `bytes` at a rate, to the nearest picosecond; 0 at an infinite rate.
pub fn of_bytes(bytes: u64, bytes_per_s: f64) -> Time {
    nearest(bytes as f64 / bytes_per_s * PICOSECONDS_PER_S)
}

/// The same as `round`: halves go up. `round` is a function call where the compiler must serve old
/// processors, and the network rounds for every packet that DMA moves.
#[inline]
fn nearest(picoseconds: f64) -> Time {
    let whole = picoseconds as Time;
    match picoseconds - whole as f64 >= 0.5 {
        true => whole.saturating_add(1),
        false => whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rounded_as_floating_point_numbers_are() {
        let mut values = vec![-1.5, -0.5, 0.49999999999999994, f64::NAN, f64::INFINITY, 1e19, 1e20];
        for exponent in 0..64 {
            let power = f64::from(2).powi(exponent);
            values.extend([0.0, 0.25, 0.5, 0.75, 1.0].map(|part| power + part));
            values.extend([0.1, 1.0 / 3.0, 0.7].map(|part| power * part));
            values.extend([power.next_down(), power.next_up(), (power + 0.5).next_down()]);
        }
        for value in values {
            assert_eq!(nearest(value), value.round() as Time, "{value}");
        }
    }
}
