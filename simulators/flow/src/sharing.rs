//! What a rule for sharing channels offers to the simulation.

use crate::incidence::Incidence;
use fabric::Channel;
use serde::Deserialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Model {
    EqualShare,
    MaxMin,
}

/// A rule for sharing channels. Rates are fractions of the channel bandwidth.
pub trait Sharing {
    fn incidence(&self) -> &Incidence;
    fn incidence_mut(&mut self) -> &mut Incidence;

    /// One more slot, without a flow.
    fn add_slot(&mut self);

    /// Adds a flow at rate 1; the next `settle` gives its true rate.
    fn add(&mut self, slot: u32, path: &[Channel], bytes: f64);

    fn remove(&mut self, slot: u32);

    /// Brings all rates up to date; `changed` gets each slot whose rate is now the old one divided
    /// by the factor.
    fn settle(&mut self, changed: impl FnMut(u32, f64));

    fn rate(&self, slot: u32) -> f64;
}
