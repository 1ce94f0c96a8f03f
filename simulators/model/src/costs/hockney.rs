//! Hockney (1994): α + n·β, in both directions at once.

use super::Parameters;
use crate::schedule::{Step, Way};

impl Parameters {
    pub(super) fn hockney(&self, step: &Step) -> f64 {
        let bytes_s = step.bytes as f64 * self.byte_s;
        match step.way {
            Way::Send | Way::Deal | Way::Exchange | Way::Shift | Way::SetUp => {
                self.latency_s + bytes_s
            }
            Way::Burst(messages) | Way::Crossing(messages) => {
                self.latency_s + messages as f64 * bytes_s
            }
        }
    }
}
