//! Dimension-order routing on a mesh.

use super::{Divisor, Draw, Header, Outputs, Routing, Way};
use crate::Grid;

/// A mesh with at most so many nodes has a table, of at most 64 KiB.
const SMALL_NODES: u32 = 256;

/// Lowest dimension first. Needs no classes: no channel is ever wanted by a packet behind it.
#[derive(Debug)]
pub struct MeshDimensionOrder {
    sizes: Vec<Divisor>,
    nodes: usize,
    /// In a small mesh the ports at each router to each node, router by router: dividing takes branches
    /// that nobody can predict.
    ports: Vec<u8>,
    vcs: u16,
    per_destination: bool,
}

impl MeshDimensionOrder {
    pub(super) fn new(grid: &Grid, vcs: u16, per_destination: bool) -> Self {
        let sizes: Vec<Divisor> = grid.sizes().iter().map(|&size| Divisor::new(size)).collect();
        let nodes = grid.sizes().iter().product::<u32>();
        let mut ports = vec![];
        if nodes <= SMALL_NODES {
            let pairs = (0..nodes).flat_map(|router| (0..nodes).map(move |dst| (router, dst)));
            ports = pairs.map(|(router, dst)| divide(&sizes, router, dst) as u8).collect();
        }
        Self { sizes, nodes: nodes as usize, ports, vcs, per_destination }
    }

    #[inline]
    fn port(&self, router: u32, dst: u32) -> u16 {
        match self.ports.get(router as usize * self.nodes + dst as usize) {
            Some(&port) => port.into(),
            None => divide(&self.sizes, router, dst),
        }
    }

    /// Apart, as the other meshes would branch on whether a packet is at its destination.
    #[inline(never)]
    fn way_by_destination(&self, router: u32, port: u16, dst: u32) -> Way {
        if router == dst {
            Way { port, first_vc: 0, vcs: self.vcs }
        } else {
            Way { port, first_vc: dst as u16, vcs: 1 }
        }
    }
}

/// The port at `router` to `dst`; that of the node comes after those of all dimensions.
fn divide(sizes: &[Divisor], router: u32, dst: u32) -> u16 {
    let (mut here, mut there, mut port) = (router, dst, 0);
    for size in sizes {
        let ((upper, own), (wanted_upper, wanted)) = (size.divide(here), size.divide(there));
        if own != wanted {
            return port + u16::from(wanted < own);
        }
        (here, there) = (upper, wanted_upper);
        port += 2;
    }
    port
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
        let port = self.port(router, header.dst);
        if !self.per_destination {
            return Way { port, first_vc: 0, vcs: self.vcs };
        }
        self.way_by_destination(router, port, header.dst)
    }
}
