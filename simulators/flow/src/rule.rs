//! The rule that a program's network shares its channels by, chosen when it is made.

use crate::capacity::{Alike, Mixed};
use crate::equal_share::EqualShare;
use crate::incidence::Incidence;
use crate::max_min::MaxMin;
use crate::sharing::{Model, Sharing};
use fabric::{Channel, Fabric, Links};

/// One of the rules. Programs are bound to the type of their network, so that two types would compile all
/// of their calls twice.
pub enum Rule {
    EqualShare(EqualShare<Alike>),
    MaxMin(MaxMin<Alike>),
    /// With channels that are not alike.
    MixedEqualShare(EqualShare<Mixed>),
    MixedMaxMin(MaxMin<Mixed>),
}

impl Rule {
    /// Without slots. A node sends at most at `most` times the bandwidth of the network.
    pub fn new(model: Model, fabric: &Fabric, links: &Links, most: f64) -> Self {
        let (channels, nodes) = (fabric.channels() as usize, fabric.nodes());
        let flows = Incidence::new(channels, 0, fabric.longest_route());
        let mixed = || Mixed::new(links, channels);
        match (model, links.are_alike()) {
            (Model::EqualShare, true) => {
                Self::EqualShare(EqualShare::new(flows, Alike, channels, 0, most))
            }
            (Model::EqualShare, false) => {
                Self::MixedEqualShare(EqualShare::new(flows, mixed(), channels, 0, most))
            }
            (Model::MaxMin, true) => {
                Self::MaxMin(MaxMin::new(flows, Alike, channels, 0, nodes, most))
            }
            (Model::MaxMin, false) => {
                Self::MixedMaxMin(MaxMin::new(flows, mixed(), channels, 0, nodes, most))
            }
        }
    }
}

/// Evaluates one expression for whichever rule it is.
macro_rules! each {
    ($self:ident, $rule:ident => $body:expr) => {
        match $self {
            Rule::EqualShare($rule) => $body,
            Rule::MaxMin($rule) => $body,
            Rule::MixedEqualShare($rule) => $body,
            Rule::MixedMaxMin($rule) => $body,
        }
    };
}

impl Sharing for Rule {
    #[inline]
    fn incidence(&self) -> &Incidence {
        each!(self, rule => rule.incidence())
    }

    #[inline]
    fn incidence_mut(&mut self) -> &mut Incidence {
        each!(self, rule => rule.incidence_mut())
    }

    fn add_slot(&mut self) {
        each!(self, rule => rule.add_slot());
    }

    #[inline]
    fn add(&mut self, slot: u32, path: &[Channel], bytes: f64) {
        each!(self, rule => rule.add(slot, path, bytes));
    }

    #[inline]
    fn remove(&mut self, slot: u32) {
        each!(self, rule => rule.remove(slot));
    }

    fn settle(&mut self, changed: impl FnMut(u32, f64)) {
        each!(self, rule => rule.settle(changed));
    }

    #[inline]
    fn rate(&self, slot: u32) -> f64 {
        each!(self, rule => rule.rate(slot))
    }
}
