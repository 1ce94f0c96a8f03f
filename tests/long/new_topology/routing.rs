//! Routes of one hop need no classes.

use super::{Draw, Header, Outputs, Routing, Way};

#[derive(Debug)]
pub struct OneHop {
    pub(super) nodes: u32,
    pub(super) vcs: u16,
}

impl Routing for OneHop {
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
        let port = match header.dst {
            dst if dst == router => self.nodes - 1,
            dst => dst - u32::from(dst > router),
        };
        Way { port: port as u16, first_vc: 0, vcs: self.vcs }
    }
}
