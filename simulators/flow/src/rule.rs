//! The rule that a program's network shares its channels by, chosen when it is made.

use crate::equal_share::EqualShare;
use crate::incidence::Incidence;
use crate::max_min::MaxMin;
use crate::sharing::{Model, Sharing};
use fabric::{Channel, Fabric};

/// One of the rules. Programs are bound to the type of their network, so that two types would compile all
/// of their calls twice.
pub enum Rule {
    EqualShare(EqualShare),
    MaxMin(MaxMin),
}

impl Rule {
    /// Without slots.
    pub fn new(model: Model, fabric: &Fabric) -> Self {
        let channels = fabric.channels() as usize;
        let incidence = Incidence::new(channels, 0, fabric.longest_route());
        match model {
            Model::EqualShare => Self::EqualShare(EqualShare::new(incidence, channels, 0, 1.0)),
            Model::MaxMin => Self::MaxMin(MaxMin::new(incidence, channels, 0, fabric.nodes(), 1.0)),
        }
    }
}

impl Sharing for Rule {
    #[inline]
    fn incidence(&self) -> &Incidence {
        match self {
            Self::EqualShare(rule) => rule.incidence(),
            Self::MaxMin(rule) => rule.incidence(),
        }
    }

    #[inline]
    fn incidence_mut(&mut self) -> &mut Incidence {
        match self {
            Self::EqualShare(rule) => rule.incidence_mut(),
            Self::MaxMin(rule) => rule.incidence_mut(),
        }
    }

    fn add_slot(&mut self) {
        match self {
            Self::EqualShare(rule) => rule.add_slot(),
            Self::MaxMin(rule) => rule.add_slot(),
        }
    }

    #[inline]
    fn add(&mut self, slot: u32, path: &[Channel], bytes: f64) {
        match self {
            Self::EqualShare(rule) => rule.add(slot, path, bytes),
            Self::MaxMin(rule) => rule.add(slot, path, bytes),
        }
    }

    #[inline]
    fn remove(&mut self, slot: u32) {
        match self {
            Self::EqualShare(rule) => rule.remove(slot),
            Self::MaxMin(rule) => rule.remove(slot),
        }
    }

    fn settle(&mut self, changed: impl FnMut(u32, f64)) {
        match self {
            Self::EqualShare(rule) => rule.settle(changed),
            Self::MaxMin(rule) => rule.settle(changed),
        }
    }

    #[inline]
    fn rate(&self, slot: u32) -> f64 {
        match self {
            Self::EqualShare(rule) => rule.rate(slot),
            Self::MaxMin(rule) => rule.rate(slot),
        }
    }
}
