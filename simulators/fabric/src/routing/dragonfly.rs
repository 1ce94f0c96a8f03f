//! Routing in a dragonfly (Kim, Dally, Scott and Abts, ISCA 2008): straight to the group of the
//! destination, or by way of a random group.
//!
//! The class of virtual channels is the number of global channels that the packet has crossed. It
//! only rises, and within a class a local channel comes before a global one, so there is no circle.

use super::{Divisor, Draw, Header, Outputs, Routing, Way};
use crate::{Detour, Dragonfly, VcClasses};

/// `Header::phase`: by way of the group `Header::via`.
const AROUND: u8 = 0;
/// `Header::phase`: straight to the group of the destination.
const STRAIGHT: u8 = 1;

#[derive(Debug)]
pub struct DragonflyRouting {
    p: Divisor,
    a: Divisor,
    h: Divisor,
    detour: Detour,
    vcs: u16,
    classes: VcClasses,
}

impl DragonflyRouting {
    pub(super) fn new(dragonfly: &Dragonfly, vcs: u16, classes: VcClasses) -> Self {
        let detour = dragonfly.routing();
        Self {
            p: Divisor::new(dragonfly.p()),
            a: Divisor::new(dragonfly.a()),
            h: Divisor::new(dragonfly.h()),
            detour,
            vcs,
            classes,
        }
    }

    fn groups(&self) -> u32 {
        self.a.get() * self.h.get() + 1
    }

    /// Place in `group`, and global port there, of the channel to another group.
    #[inline]
    fn exit(&self, group: u32, other: u32) -> (u32, u32) {
        self.h.divide(other - u32::from(other > group))
    }

    /// Port to another router of the group.
    #[inline]
    fn local(&self, own: u32, other: u32) -> u16 {
        (self.p.get() + other - u32::from(other > own)) as u16
    }

    /// Port of the router at place `own` of `group` towards another group.
    #[inline]
    fn towards(&self, group: u32, own: u32, other: u32) -> u16 {
        let (exit, port) = self.exit(group, other);
        if exit == own {
            (self.p.get() + self.a.get() - 1 + port) as u16
        } else {
            self.local(own, exit)
        }
    }

    /// Channels from the router at place `own` of `group` to the first router of another group, and
    /// the place of that router.
    fn crossing(&self, group: u32, own: u32, other: u32) -> (u32, u32) {
        (1 + u32::from(self.exit(group, other).0 != own), self.exit(other, group).0)
    }

    /// Whether a packet at its source router goes straight.
    fn goes_straight(
        &self,
        (group, own): (u32, u32),
        (last_group, last): (u32, u32),
        via: u32,
        outputs: &impl Outputs,
    ) -> bool {
        if group == last_group
            || via == group
            || via == last_group
            || self.detour == Detour::Minimal
        {
            return true;
        }
        if self.detour == Detour::Valiant {
            return false;
        }
        let used = |other| outputs.used_credits(self.towards(group, own, other));
        let (straight, entered) = self.crossing(group, own, last_group);
        let straight = straight + u32::from(entered != last);
        let (out, turned) = self.crossing(group, own, via);
        let (back, entered) = self.crossing(via, turned, last_group);
        let around = out + back + u32::from(entered != last);
        used(last_group) * straight <= used(via) * around
    }
}

impl Routing for DragonflyRouting {
    #[inline]
    fn inject(&self, header: &mut Header, random: &mut impl Draw) -> (u16, u16) {
        if self.detour != Detour::Minimal {
            header.via = random.below(self.groups());
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
        let (last_router, place) = self.p.divide(header.dst);
        if router == last_router {
            return Way { port: place as u16, first_vc: 0, vcs: self.vcs };
        }
        let (group, own) = self.a.divide(router);
        let (last_group, last) = self.a.divide(last_router);
        if u32::from(input) < self.p.get() {
            let straight =
                self.goes_straight((group, own), (last_group, last), header.via, outputs);
            header.phase = if straight { STRAIGHT } else { AROUND };
        }
        let source_group = self.a.quotient(self.p.quotient(header.src));
        let around = header.phase == AROUND;
        let crossed = match group {
            g if g == source_group => 0,
            g if g == last_group => 1 + u8::from(around),
            _ => 1,
        };
        let port = if group == last_group {
            self.local(own, last)
        } else if around && group == source_group {
            self.towards(group, own, header.via)
        } else {
            self.towards(group, own, last_group)
        };
        Way::of_class(port, &self.classes, crossed)
    }
}
