//! Destination-tag routing: the only way through a k-ary n-fly. Packets never turn back, so no
//! classes are needed.

use super::{Divisor, Draw, Header, Outputs, Routing, Way};
use crate::Fly;

#[derive(Debug)]
pub struct DestinationTag {
    k: Divisor,
    routers_per_stage: Divisor,
    /// Per stage: the power of `k` whose digit of the destination is the output.
    powers: Vec<Divisor>,
    vcs: u16,
}

impl DestinationTag {
    pub(super) fn new(fly: &Fly, vcs: u16) -> Self {
        let (k, stages) = (fly.k(), fly.stages() as u32);
        Self {
            k: Divisor::new(k),
            routers_per_stage: Divisor::new(k.pow(stages - 1)),
            powers: (0..stages).rev().map(|i| Divisor::new(k.pow(i))).collect(),
            vcs,
        }
    }
}

impl Routing for DestinationTag {
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
        let stage = self.routers_per_stage.quotient(router);
        let digit = self.k.divide(self.powers[stage as usize].quotient(header.dst)).1;
        Way { port: digit as u16, first_vc: 0, vcs: self.vcs }
    }
}
