//! Simulated time in whole picoseconds, so that sums do not depend on their order.

/// Picoseconds since the program began; 2^64 of them are 213 days.
pub type Time = u64;

/// Never.
pub const NEVER: Time = Time::MAX;

const PICOSECONDS_PER_S: f64 = 1e12;

/// Seconds to the nearest picosecond; what is negative or no number becomes 0.
pub fn from_seconds(seconds: f64) -> Time {
    (seconds * PICOSECONDS_PER_S).round() as Time
}

/// For metrics.
pub fn to_seconds(time: Time) -> f64 {
    time as f64 / PICOSECONDS_PER_S
}

/// Time for `bytes` at a rate, to the nearest picosecond; 0 at an infinite rate.
pub fn of_bytes(bytes: u64, bytes_per_s: f64) -> Time {
    (bytes as f64 / bytes_per_s * PICOSECONDS_PER_S).round() as Time
}
