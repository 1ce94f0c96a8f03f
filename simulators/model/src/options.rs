//! The `options` part of a point.

use crate::costs::{Cost, Curve, Parameters};
use engine::Network;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Of a point. An absent S1 or S2 is the latency of the network.
#[derive(Debug, Clone, Deserialize)]
pub struct Options {
    pub cost: Cost,
    overhead_s: f64,
    gap_s: f64,
    small_message_bytes: u64,
    one_way_start_s: Option<f64>,
    two_way_start_s: Option<f64>,
    curve_file: Option<PathBuf>,
    byte_factor: f64,
    message_factor: f64,
    /// Combining takes no time if absent.
    combine_bytes_per_s: Option<f64>,
    /// The algorithm of each collective, as `<collective>_algorithm`.
    #[serde(flatten)]
    others: BTreeMap<String, serde_json::Value>,
}

impl Options {
    /// What cost models need on this network.
    ///
    /// # Errors
    /// Says which option cannot be.
    pub fn parameters(&self, network: &Network) -> Result<Parameters, String> {
        network.check()?;
        let times = [
            ("overhead_s", Some(self.overhead_s)),
            ("gap_s", Some(self.gap_s)),
            ("one_way_start_s", self.one_way_start_s),
            ("two_way_start_s", self.two_way_start_s),
        ];
        for (key, value) in times {
            if let Some(value) = value.filter(|value| !(value.is_finite() && *value >= 0.0)) {
                return Err(format!("{key} is {value}, must be at least 0"));
            }
        }
        let above = [
            ("byte_factor", Some(self.byte_factor)),
            ("message_factor", Some(self.message_factor)),
            ("combine_bytes_per_s", self.combine_bytes_per_s),
            ("small_message_bytes", Some(self.small_message_bytes as f64)),
        ];
        for (key, value) in above {
            if let Some(value) = value.filter(|value| !(value.is_finite() && *value > 0.0)) {
                return Err(format!("{key} is {value}, must be above 0"));
            }
        }
        Ok(Parameters {
            latency_s: network.latency_s,
            byte_s: 1.0 / network.bandwidth_bytes_per_s,
            overhead_s: self.overhead_s,
            gap_s: self.gap_s,
            small_bytes: self.small_message_bytes,
            one_way_start_s: self.one_way_start_s.unwrap_or(network.latency_s),
            two_way_start_s: self.two_way_start_s.unwrap_or(network.latency_s),
            curve: self.curve()?,
            byte_factor: self.byte_factor,
            message_factor: self.message_factor,
            combine_byte_s: self.combine_bytes_per_s.map_or(0.0, f64::recip),
        })
    }

    fn curve(&self) -> Result<Curve, String> {
        match (self.cost, &self.curve_file) {
            (Cost::Model2 | Cost::Model3 | Cost::Model4, Some(path)) => Curve::read(path),
            (Cost::Model2 | Cost::Model3 | Cost::Model4, None) => {
                Err("the models 2 to 4 need a curve_file".into())
            }
            _ => Ok(Curve::default()),
        }
    }

    /// What the option of a collective says, if it is given.
    pub fn algorithm(&self, collective: &str) -> Option<&str> {
        self.others.get(&format!("{collective}_algorithm"))?.as_str()
    }
}
