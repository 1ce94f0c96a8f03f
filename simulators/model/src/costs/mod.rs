//! What a schedule costs, by the model of the point.

mod curve;
mod hockney;
mod logp;
mod measured;
mod piecewise;

pub use curve::{Curve, Pace};

use crate::schedule::{Schedule, Step};
use engine::Curves;
use serde::Deserialize;

/// The cost models; `docs/model.md` has the source of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Cost {
    #[serde(rename = "hockney")]
    Hockney,
    #[serde(rename = "logp")]
    Logp,
    #[serde(rename = "loggp")]
    Loggp,
    /// One time of a byte for all sizes.
    #[serde(rename = "model_1")]
    Model1,
    /// That of the whole message, for all of its steps.
    #[serde(rename = "model_2")]
    Model2,
    /// That of the whole message, of its half or of its quarter.
    #[serde(rename = "model_3")]
    Model3,
    /// As the third, with factors on bytes and messages.
    #[serde(rename = "model_4")]
    Model4,
    /// Each message at the time that was measured for its own size.
    #[serde(rename = "piecewise")]
    Piecewise,
}

/// Everything that cost models know of a machine. Times in seconds.
#[derive(Debug, Clone)]
pub struct Parameters {
    /// α of Hockney, L of LogP.
    pub latency_s: f64,
    /// β of Hockney, G of LogGP, M of model 1.
    pub byte_s: f64,
    /// o of LogP.
    pub overhead_s: f64,
    /// g of LogP.
    pub gap_s: f64,
    /// The largest message of LogP.
    pub small_bytes: u64,
    /// S1 and S2 of the models 1 to 4.
    pub one_way_start_s: f64,
    pub two_way_start_s: f64,
    /// M1 and M2 of the models 2 to 4.
    pub curve: Curve,
    /// What a calibration has measured.
    pub curves: Option<Curves>,
    /// Those of model 4.
    pub byte_factor: f64,
    pub message_factor: f64,
    /// γ: how long it takes to combine a byte with another one.
    pub combine_byte_s: f64,
}

impl Parameters {
    /// How long a schedule takes.
    pub fn time_s(&self, cost: Cost, schedule: &Schedule) -> f64 {
        let whole_bytes = schedule.whole_bytes;
        let price = |step: &Step| match cost {
            Cost::Hockney => self.hockney(step),
            Cost::Logp => self.logp(step),
            Cost::Loggp => self.loggp(step),
            Cost::Model1 => self.constant(step),
            Cost::Model2 => self.of_the_whole(step, whole_bytes),
            Cost::Model3 => self.by_size(step, whole_bytes),
            Cost::Model4 => self.corrected(step, whole_bytes),
            Cost::Piecewise => self.piecewise(step),
        };
        let steps = schedule.steps.iter();
        let messages_s: f64 = steps
            .map(|step| step.times as f64 * (price(step) + self.sum(step)))
            .fold(0.0, |all, s| all + s);
        match (cost, schedule.copied_bytes) {
            (Cost::Piecewise, Some(bytes)) => messages_s + self.copy(bytes),
            _ => messages_s,
        }
    }

    fn sum(&self, step: &Step) -> f64 {
        if step.combines { step.bytes as f64 * self.combine_byte_s } else { 0.0 }
    }
}
