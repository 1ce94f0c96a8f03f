//! The options about files: whether programs have them, and how long their storage takes.

use crate::messaging::Storage;
use crate::time::from_seconds;
use serde::Deserialize;

/// The storage unless an experiment describes it: round numbers, those of no machine in particular.
pub const STORAGE_LATENCY_US: u32 = 100;
pub const STORAGE_BANDWIDTH_GB_PER_S: u32 = 5;
/// Sums of times must not overflow.
const LONGEST_S: f64 = 1e3;
const SLOWEST_BYTES_PER_S: f64 = 1e3;

/// What calls of files do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Files {
    /// They work, and take the time of a model of the storage.
    #[default]
    Modelled,
    Refused,
}

#[derive(Debug, Clone, Copy, Deserialize)]
pub struct FileOptions {
    #[serde(default)]
    pub files: Files,
    /// Of each access.
    #[serde(default = "latency_s")]
    pub storage_latency_s: f64,
    /// Of all ranks together.
    #[serde(default = "bandwidth_bytes_per_s")]
    pub storage_bandwidth_bytes_per_s: f64,
}

fn latency_s() -> f64 {
    f64::from(STORAGE_LATENCY_US) * 1e-6
}

fn bandwidth_bytes_per_s() -> f64 {
    f64::from(STORAGE_BANDWIDTH_GB_PER_S) * 1e9
}

impl FileOptions {
    /// # Errors
    /// Names the option that has no meaning.
    pub fn check(&self) -> Result<(), String> {
        let latency_s = self.storage_latency_s;
        if !(0.0..=LONGEST_S).contains(&latency_s) {
            return Err(format!("storage_latency_s is {latency_s}, must be 0 to {LONGEST_S}"));
        }
        let rate = self.storage_bandwidth_bytes_per_s;
        if !(rate.is_finite() && rate >= SLOWEST_BYTES_PER_S) {
            return Err(format!(
                "storage_bandwidth_bytes_per_s is {rate}, must be at least {SLOWEST_BYTES_PER_S}"
            ));
        }
        Ok(())
    }

    /// The storage that they describe.
    pub fn storage(&self) -> Storage {
        let latency = from_seconds(self.storage_latency_s);
        Storage::new(self.files, latency, self.storage_bandwidth_bytes_per_s)
    }
}
