//! Routing in a flattened butterfly: dimension order, straight or by way of a random router.
//!
//! A packet that makes a detour takes the first half of the virtual channels to its turning point
//! and the second half from there. Within a half dimensions only rise, so there is no circle.

use super::{Divisor, Draw, Header, Outputs, Routing, Way};
use crate::{Detour, FlattenedButterfly, VcClasses};

/// `Header::phase`: on the way to the turning point.
const OUTWARD: u8 = 0;
/// `Header::phase`: on the way to the destination.
const HOMEWARD: u8 = 1;

#[derive(Debug)]
pub struct ButterflyRouting {
    k: Divisor,
    concentration: Divisor,
    routers: u32,
    detour: Detour,
    vcs: u16,
    halves: VcClasses,
}

impl ButterflyRouting {
    pub(super) fn new(butterfly: &FlattenedButterfly, vcs: u16, halves: VcClasses) -> Self {
        Self {
            k: Divisor::new(butterfly.k()),
            concentration: Divisor::new(butterfly.concentration()),
            routers: butterfly.k().pow(butterfly.dimensions() as u32),
            detour: butterfly.routing(),
            vcs,
            halves,
        }
    }

    /// Port from one router towards another one.
    #[inline]
    fn towards(&self, mut here: u32, mut there: u32) -> u16 {
        let mut first = self.concentration.get();
        loop {
            let ((upper, own), (other_upper, other)) = (self.k.divide(here), self.k.divide(there));
            if own != other {
                return (first + other - u32::from(other > own)) as u16;
            }
            (here, there) = (upper, other_upper);
            first += self.k.get() - 1;
        }
    }

    /// Channels between two routers.
    fn hops(&self, mut here: u32, mut there: u32) -> u32 {
        let mut hops = 0;
        while here != there {
            let ((upper, own), (other_upper, other)) = (self.k.divide(here), self.k.divide(there));
            hops += u32::from(own != other);
            (here, there) = (upper, other_upper);
        }
        hops
    }

    /// Whether a packet at its source router makes its detour.
    fn departs(&self, router: u32, last: u32, via: u32, outputs: &impl Outputs) -> bool {
        if router == last || via == router || via == last {
            return false;
        }
        let delay = |to, hops| outputs.used_credits(self.towards(router, to)) * hops;
        let around = self.hops(router, via) + self.hops(via, last);
        self.detour == Detour::Valiant || delay(last, self.hops(router, last)) > delay(via, around)
    }
}

impl Routing for ButterflyRouting {
    #[inline]
    fn inject(&self, header: &mut Header, random: &mut impl Draw) -> (u16, u16) {
        if self.detour != Detour::Minimal {
            header.via = random.below(self.routers);
        }
        (0, self.vcs)
    }

    #[inline]
    fn route(
        &self,
        router: u32,
        input: u16,
        header: &mut Header,
        outputs: &impl Outputs,
        _random: &mut impl Draw,
    ) -> Way {
        let (last, place) = self.concentration.divide(header.dst);
        let mut target = last;
        if self.detour != Detour::Minimal {
            if u32::from(input) < self.concentration.get() {
                let departs = self.departs(router, last, header.via, outputs);
                header.phase = if departs { OUTWARD } else { HOMEWARD };
            } else if router == header.via {
                header.phase = HOMEWARD;
            }
            if header.phase == OUTWARD {
                target = header.via;
            }
        }
        if router == target {
            return Way { port: place as u16, first_vc: 0, vcs: self.vcs };
        }
        let port = self.towards(router, target);
        if self.detour == Detour::Minimal {
            Way { port, first_vc: 0, vcs: self.vcs }
        } else {
            Way::of_class(port, &self.halves, header.phase)
        }
    }
}
