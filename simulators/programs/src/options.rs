//! The `options` part of a point: how its program runs, and which tables are written.

use engine::AskedTables;
use serde::Deserialize;
use serde_json::{Map, Value};

/// All options of a run.
#[derive(Debug, Clone, Deserialize)]
pub struct Options {
    pub tables: AskedTables,
    #[serde(default = "microsecond")]
    pub series_interval_s: f64,
    /// Ports of the table `congestion`; all if absent.
    #[serde(default)]
    pub congestion_ports: Option<usize>,
}

/// Of engines without the table `series` for programs.
fn microsecond() -> f64 {
    1e-6
}

impl Options {
    /// Reads the options and checks each by itself; those of [`mpi::Options`] are left to it.
    pub fn read(map: &Map<String, Value>) -> Result<Self, String> {
        let read = Self::deserialize(Value::Object(map.clone()));
        let options = read.map_err(|e| format!("options: {e}"))?;
        let interval_s = options.series_interval_s;
        if !(interval_s.is_finite() && interval_s > 0.0) {
            return Err(format!("series_interval_s is {interval_s}, must be above 0"));
        }
        Ok(options)
    }
}
