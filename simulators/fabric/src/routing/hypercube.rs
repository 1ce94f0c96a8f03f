//! Routing in a binary hypercube. Port `i` leads along dimension `i`.

use super::{Draw, Header, Outputs, Routing, Way};
use crate::Hypercube;

/// Lowest dimension first. Needs no classes: dimensions only rise.
#[derive(Debug)]
pub struct ECube {
    dimensions: u16,
    vcs: u16,
}

/// Any dimension that brings the packet nearer, the least loaded first (Duato, 1993).
///
/// Virtual channels from 1 on are free for all such dimensions. Channel 0 is the escape: it belongs
/// to e-cube. A packet for which no adaptive channel is free asks for the escape channel, so it can
/// always go on: dimensions of its escape channels only rise, whatever it did between them. That
/// holds only if a buffer never has two packets, since the second could not ask for its escape.
#[derive(Debug)]
pub struct MinimalAdaptive {
    dimensions: u16,
    vcs: u16,
}

impl ECube {
    pub(super) fn new(cube: &Hypercube, vcs: u16) -> Self {
        Self { dimensions: cube.dimensions() as u16, vcs }
    }
}

impl MinimalAdaptive {
    pub(super) fn new(cube: &Hypercube, vcs: u16) -> Self {
        Self { dimensions: cube.dimensions() as u16, vcs }
    }
}

impl Routing for ECube {
    #[inline]
    fn inject(&self, _header: &mut Header, _random: &mut impl Draw) -> (u16, u16) {
        (0, self.vcs)
    }

    #[inline]
    fn route(
        &self,
        router: u32,
        _input: u16,
        header: &mut Header,
        _outputs: &impl Outputs,
        _random: &mut impl Draw,
    ) -> Way {
        let wanted = (router ^ header.dst).trailing_zeros() as u16;
        Way { port: wanted.min(self.dimensions), first_vc: 0, vcs: self.vcs }
    }
}

impl Routing for MinimalAdaptive {
    #[inline]
    fn inject(&self, _header: &mut Header, _random: &mut impl Draw) -> (u16, u16) {
        (0, self.vcs)
    }

    fn route(
        &self,
        router: u32,
        _input: u16,
        header: &mut Header,
        outputs: &impl Outputs,
        random: &mut impl Draw,
    ) -> Way {
        let mut wanted = router ^ header.dst;
        if wanted == 0 {
            return Way { port: self.dimensions, first_vc: 0, vcs: self.vcs };
        }
        let escape = Way { port: wanted.trailing_zeros() as u16, first_vc: 0, vcs: 1 };
        let (mut least, mut equals, mut best) = (u32::MAX, 0, escape);
        while wanted != 0 {
            let port = wanted.trailing_zeros() as u16;
            wanted &= wanted - 1;
            if !outputs.any_free(port, 1, self.vcs - 1) {
                continue;
            }
            let used = outputs.used_credits(port);
            if used < least {
                (least, equals) = (used, 0);
            }
            if used == least {
                equals += 1;
                if random.below(equals) == 0 {
                    best = Way { port, first_vc: 1, vcs: self.vcs - 1 };
                }
            }
        }
        best
    }

    fn reroutes(&self) -> bool {
        true
    }
}
