//! One router: every port is a destination.

use super::{Header, Outputs, Routing, Way};
use workload::Random;

#[derive(Debug)]
pub struct Direct {
    pub(super) vcs: u16,
}

impl Routing for Direct {
    #[inline]
    fn inject(&self, _header: &mut Header, _random: &mut Random) -> (u16, u16) {
        (0, self.vcs)
    }

    #[inline]
    fn route(
        &self,
        _router: u32,
        _input: u16,
        header: &mut Header,
        _outputs: &impl Outputs,
        _random: &mut Random,
    ) -> Way {
        Way { port: header.dst as u16, first_vc: 0, vcs: self.vcs }
    }
}
