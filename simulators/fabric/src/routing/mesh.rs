//! Dimension-order routing on a mesh.

use super::{Divisor, Draw, Header, Outputs, Routing, Way};
use crate::Grid;

/// Lowest dimension first. Needs no classes: no channel is ever wanted by a packet behind it.
#[derive(Debug)]
pub struct MeshDimensionOrder {
    sizes: Vec<Divisor>,
    vcs: u16,
    per_destination: bool,
}

impl MeshDimensionOrder {
    pub(super) fn new(grid: &Grid, vcs: u16, per_destination: bool) -> Self {
        let sizes = grid.sizes().iter().map(|&size| Divisor::new(size)).collect();
        Self { sizes, vcs, per_destination }
    }
}

impl Routing for MeshDimensionOrder {
    #[inline]
    fn inject(&self, header: &mut Header, _random: &mut impl Draw) -> (u16, u16) {
        if self.per_destination { (header.dst as u16, 1) } else { (0, self.vcs) }
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
        let (mut here, mut there) = (router, header.dst);
        if here == there {
            return Way { port: 2 * self.sizes.len() as u16, first_vc: 0, vcs: self.vcs };
        }
        let mut port = 0;
        for size in &self.sizes {
            let ((upper, own), (wanted_upper, wanted)) = (size.divide(here), size.divide(there));
            if own != wanted {
                port += u16::from(wanted < own);
                break;
            }
            (here, there) = (upper, wanted_upper);
            port += 2;
        }
        if self.per_destination {
            Way { port, first_vc: header.dst as u16, vcs: 1 }
        } else {
            Way { port, first_vc: 0, vcs: self.vcs }
        }
    }
}
