//! How many virtual channels a routing needs so that packets cannot deadlock.

use crate::{Fabric, FabricError, RingClasses};
use serde::Deserialize;
use std::fmt;

/// Which half of the virtual channels a packet takes on a ring of a torus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum TorusClasses {
    /// By whether the packet takes the wrap-around channel of the ring.
    #[default]
    Dateline,
    /// The same, but packets that neither wrap around nor cross the middle of the ring take either half.
    Balanced,
}

impl TorusClasses {
    /// Class of a packet that enters a ring of `size` routers at `from`, for `to`, in + direction if
    /// `plus`. None if both classes are right.
    ///
    /// The channels of a ring form a circle. Packets of a class cannot deadlock on it if there is one
    /// channel that none of them uses, or one pair of neighbouring channels that none of them uses one
    /// after the other.
    ///
    /// * Dateline: in + direction, packets that wrap around have class 1 and the others class 0. In -
    ///   direction it is the other way round. Packets that do not wrap never use the wrap-around channel.
    ///   Packets that wrap take at most half of the ring, so none of them passes the middle.
    /// * Balanced: packets that wrap take class 0, packets that pass the middle of the ring take class 1.
    ///   No way of at most half a ring does both. So class 0 never uses the channel over the middle, and
    ///   class 1 never uses the wrap-around channel. A packet that does neither may have any class.
    #[inline]
    pub fn of_ring(self, (from, to): (u32, u32), plus: bool, size: u32) -> Option<u8> {
        let rises = to > from;
        let middle = (size - 1) / 2;
        match self {
            // In + direction and wrapped, or in - direction and not wrapped: the coordinate falls.
            TorusClasses::Dateline => Some(u8::from(!rises)),
            TorusClasses::Balanced if plus != rises => Some(0),
            TorusClasses::Balanced if (from <= middle) != (to <= middle) => Some(1),
            TorusClasses::Balanced => None,
        }
    }
}

/// Their descriptions, in the order of [`TorusClasses`].
pub(crate) const RING_CLASSES: [RingClasses; 2] = [
    RingClasses { name: "dateline", multiple_of: 2, meaning: "halves the virtual channels" },
    RingClasses { name: "balanced", multiple_of: 1, meaning: "divides them as its routes allow" },
];

/// The numbers of virtual channels with which a routing works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NeededVcs {
    pub at_least: u16,
    pub multiple_of: u16,
    pub because: &'static str,
}

impl fmt::Display for NeededVcs {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "at least {}", self.at_least)?;
        if self.multiple_of > 1 {
            write!(f, " and a multiple of {}", self.multiple_of)?;
        }
        write!(f, ": {}", self.because)
    }
}

impl NeededVcs {
    pub fn allows(&self, given: u32) -> bool {
        given >= u32::from(self.at_least) && given % u32::from(self.multiple_of) == 0
    }
}

impl Fabric {
    /// What the fabric's routing needs if virtual channels are divided into classes.
    ///
    /// # Errors
    /// As [`Fabric::vc_classes`].
    pub fn needed_vcs(&self, ring_classes: TorusClasses) -> Result<NeededVcs, FabricError> {
        let rings = self.about().ring_classes.get(ring_classes as usize);
        let (at_least, because) = self.vc_classes()?;
        Ok(NeededVcs {
            at_least,
            multiple_of: rings.map_or(1, |classes| classes.multiple_of),
            because,
        })
    }
}
