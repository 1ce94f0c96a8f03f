//! Binary hypercube with one router per node and e-cube routes: lowest differing bit first.

use crate::{Channel, Node};

#[derive(Debug, Clone)]
pub struct Hypercube {
    dimensions: u32,
}

impl Hypercube {
    pub(crate) fn new(dimensions: u32) -> Self {
        Self { dimensions }
    }

    pub(crate) fn nodes(&self) -> u32 {
        1 << self.dimensions
    }

    pub(crate) fn channels(&self) -> u32 {
        self.nodes() * (2 + self.dimensions)
    }

    pub(crate) fn longest_route(&self) -> usize {
        2 + self.dimensions as usize
    }

    pub(crate) fn router_of(&self, node: Node) -> u32 {
        node
    }

    pub(crate) fn distance(&self, src: Node, dst: Node) -> u32 {
        (src ^ dst).count_ones()
    }

    #[inline]
    pub(crate) fn between_routers(&self, src: Node, dst: Node, path: &mut Vec<Channel>) {
        let mut router = src;
        while router != dst {
            let dimension = (router ^ dst).trailing_zeros();
            path.push(2 * self.nodes() + router * self.dimensions + dimension);
            router ^= 1 << dimension;
        }
    }

    pub(crate) fn routers(&self, channel: u32) -> (u32, u32) {
        let (router, dimension) = (channel / self.dimensions, channel % self.dimensions);
        (router, router ^ 1 << dimension)
    }

    pub(crate) fn class(&self, channel: u32) -> String {
        format!("d{}", channel % self.dimensions)
    }

    pub(crate) fn name(&self, channel: u32) -> String {
        format!("{}/{}", self.class(channel), channel / self.dimensions)
    }
}
