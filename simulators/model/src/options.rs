//! The `options` part of a point.

use crate::costs::{Cost, Curve, Parameters};
use crate::network::Network;
use engine::{Curves, LogGp};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Of a point. An absent S1 or S2 is what the network's costs say of 0 bytes, else its latency.
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
        let links = &network.links;
        let curves = network.costs.as_ref().map(|costs| &costs.between_nodes);
        let start_s = |time: fn(&Curves) -> f64| curves.map_or(links.latency_s, time);
        let LogGp { latency_s, overhead_s, gap_s, byte_time_s } =
            self.fitted(network).unwrap_or(LogGp {
                latency_s: links.latency_s,
                overhead_s: self.overhead_s,
                gap_s: self.gap_s,
                byte_time_s: 1.0 / links.bandwidth_bytes_per_s,
            });
        Ok(Parameters {
            latency_s,
            byte_s: byte_time_s,
            overhead_s,
            gap_s,
            small_bytes: self.small_message_bytes,
            one_way_start_s: self.one_way_start_s.unwrap_or(start_s(|all| all.one_way.seconds(0))),
            two_way_start_s: self
                .two_way_start_s
                .unwrap_or(start_s(|all| all.two_way().seconds(0))),
            curve: self.curve(curves)?,
            curves: curves.cloned(),
            byte_factor: self.byte_factor,
            message_factor: self.message_factor,
            combine_byte_s: self.combine_bytes_per_s.map_or(0.0, f64::recip),
        })
    }

    /// The parameters of LogP and LogGP that a calibration has fitted, for these models.
    fn fitted(&self, network: &Network) -> Option<LogGp> {
        let fitted = network.costs.as_ref()?.loggp?;
        matches!(self.cost, Cost::Logp | Cost::Loggp).then_some(fitted)
    }

    fn curve(&self, curves: Option<&Curves>) -> Result<Curve, String> {
        match (self.cost, &self.curve_file, curves) {
            (Cost::Model2 | Cost::Model3 | Cost::Model4, Some(path), _) => Curve::read(path),
            (Cost::Model2 | Cost::Model3 | Cost::Model4, None, Some(curves)) => {
                Ok(Curve::of(curves))
            }
            (Cost::Model2 | Cost::Model3 | Cost::Model4, None, None) => {
                Err("the models 2 to 4 need a curve_file, or a calibrated network".into())
            }
            (Cost::Piecewise, _, None) => Err("piecewise needs a calibrated network".into()),
            _ => Ok(Curve::default()),
        }
    }

    /// What the option of a collective says, if it is given.
    pub fn algorithm(&self, collective: &str) -> Option<&str> {
        self.others.get(&format!("{collective}_algorithm"))?.as_str()
    }
}
