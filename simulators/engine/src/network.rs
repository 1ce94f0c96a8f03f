//! The `network` part of a point, for engines that know only links.

use serde::Deserialize;

/// Speed and delays that every channel and every message has.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Network {
    pub bandwidth_bytes_per_s: f64,
    /// Delay of a message before its first byte leaves.
    #[serde(default)]
    pub latency_s: f64,
    /// Further delay per router-to-router channel.
    #[serde(default)]
    pub hop_latency_s: f64,
}

impl Network {
    /// Checks the numbers.
    pub fn check(&self) -> Result<(), String> {
        let bandwidth = self.bandwidth_bytes_per_s;
        if !(bandwidth.is_finite() && bandwidth > 0.0) {
            return Err(format!("bandwidth_bytes_per_s is {bandwidth}, must be above 0"));
        }
        for (key, value) in [("latency_s", self.latency_s), ("hop_latency_s", self.hop_latency_s)] {
            if !(value.is_finite() && value >= 0.0) {
                return Err(format!("{key} is {value}, must be at least 0"));
            }
        }
        Ok(())
    }
}
