//! One router: every port is a destination.

use super::{Draw, Header, Outputs, Routing, Way};

#[derive(Debug)]
pub struct Direct {
    pub(super) vcs: u16,
}

impl Routing for Direct {
    #[inline]
    fn inject(&self, _header: &mut Header, _random: &mut impl Draw) -> (u16, u16) {
        (0, self.vcs)
    }

    #[inline]
    fn route(
        &self,
        _router: u32,
        _input: u16,
        header: &mut Header,
        _outputs: &impl Outputs,
        _random: &mut impl Draw,
    ) -> Way {
        Way { port: header.dst as u16, first_vc: 0, vcs: self.vcs }
    }
}
