//! n-dimensional mesh and torus with one router per node and dimension-order routes, x first.
//!
//! Node number = x + size_x · (y + size_y · (z + …)). Each router has a `+` and a `-` channel per
//! dimension. On a torus a message takes the shorter way round each ring; at a distance of exactly
//! half a ring the tie rule decides. In a ring of two nodes the `+` and `-` channels are distinct.

use crate::{Channel, Node};
use serde::Deserialize;

/// Direction on a torus ring when both ways are equally long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Ties {
    /// Always the `+` direction.
    #[default]
    Plus,
    /// The direction that does not cross the wrap-around channel.
    AvoidWrap,
    /// The `+` direction, except to coordinate 0: the rule of SimGrid's torus.
    Simgrid,
    /// A coin per seed, source, destination and dimension.
    Random,
}

#[derive(Debug, Clone)]
pub struct Grid {
    sizes: Vec<u32>,
    strides: Vec<u32>,
    nodes: u32,
    /// `None` for a mesh.
    ties: Option<Ties>,
    seed: u64,
}

/// SplitMix64 finaliser: a fixed hash, so that a coin is the same on every platform.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Grid {
    pub(crate) fn new(sizes: Vec<u32>, ties: Option<Ties>, seed: u64) -> Self {
        let mut strides = Vec::with_capacity(sizes.len());
        let mut nodes = 1;
        for size in &sizes {
            strides.push(nodes);
            nodes *= size;
        }
        Self { sizes, strides, nodes, ties, seed }
    }

    /// Nodes per dimension, x first.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The tie rule of a torus; `None` for a mesh.
    pub fn ties(&self) -> Option<Ties> {
        self.ties
    }

    pub(crate) fn nodes(&self) -> u32 {
        self.nodes
    }

    fn dimensions(&self) -> u32 {
        self.sizes.len() as u32
    }

    pub(crate) fn channels(&self) -> u32 {
        2 * self.nodes * (1 + self.dimensions())
    }

    pub(crate) fn longest_route(&self) -> usize {
        let reach = |size: &u32| if self.ties.is_some() { size / 2 } else { size - 1 };
        2 + self.sizes.iter().map(reach).sum::<u32>() as usize
    }

    pub(crate) fn injection_router(&self, node: Node) -> u32 {
        node
    }

    pub(crate) fn ejection_router(&self, node: Node) -> u32 {
        node
    }

    pub(crate) fn router_count(&self) -> u32 {
        self.nodes
    }

    /// Per dimension the `+` port and the `-` port, then the port of the node.
    pub(crate) fn ports(&self, _router: u32) -> u32 {
        2 * self.dimensions() + 1
    }

    pub(crate) fn node_port(&self, _node: Node) -> u32 {
        2 * self.dimensions()
    }

    pub(crate) fn output_port(&self, channel: u32) -> u32 {
        channel % (2 * self.dimensions())
    }

    pub(crate) fn input_port(&self, channel: u32) -> u32 {
        self.output_port(channel) ^ 1
    }

    /// Coordinate of a node in a dimension.
    pub fn coordinate(&self, node: Node, dimension: usize) -> u32 {
        node / self.strides[dimension] % self.sizes[dimension]
    }

    pub(crate) fn distance(&self, src: Node, dst: Node) -> u32 {
        (0..self.sizes.len())
            .map(|i| {
                let straight = self.coordinate(src, i).abs_diff(self.coordinate(dst, i));
                match self.ties {
                    Some(_) => straight.min(self.sizes[i] - straight),
                    None => straight,
                }
            })
            .sum()
    }

    /// Whether the message leaves in `+` direction, and its steps, in one dimension.
    pub fn way(&self, src: Node, dst: Node, dimension: usize) -> (bool, u32) {
        let (from, to) = (self.coordinate(src, dimension), self.coordinate(dst, dimension));
        let straight = from.abs_diff(to);
        let Some(ties) = self.ties else {
            return (to > from, straight);
        };
        let around = self.sizes[dimension] - straight;
        let inside = to > from;
        match straight.cmp(&around) {
            std::cmp::Ordering::Less => (inside, straight),
            std::cmp::Ordering::Greater => (!inside, around),
            std::cmp::Ordering::Equal => match ties {
                Ties::Plus => (true, straight),
                Ties::AvoidWrap => (inside, straight),
                Ties::Simgrid => (to != 0, straight),
                Ties::Random => {
                    let pair = u64::from(src) << 32 | u64::from(dst);
                    let coin = mix(mix(mix(self.seed) ^ pair) ^ dimension as u64);
                    (coin & 1 == 0, straight)
                }
            },
        }
    }

    #[inline]
    pub(crate) fn between_routers(&self, src: Node, dst: Node, path: &mut Vec<Channel>) {
        let width = 2 * self.dimensions();
        let mut router = src;
        for dimension in 0..self.sizes.len() {
            let (plus, steps) = self.way(src, dst, dimension);
            let (stride, size) = (self.strides[dimension], self.sizes[dimension]);
            let first = 2 * self.nodes + 2 * dimension as u32 + u32::from(!plus);
            let mut at = self.coordinate(src, dimension);
            for _ in 0..steps {
                path.push(first + router * width);
                let next = match (plus, at) {
                    (true, at) if at + 1 == size => 0,
                    (true, _) => at + 1,
                    (false, 0) => size - 1,
                    (false, _) => at - 1,
                };
                router = router - at * stride + next * stride;
                at = next;
            }
        }
    }

    fn next(&self, router: u32, dimension: usize, plus: bool) -> u32 {
        let (stride, size) = (self.strides[dimension], self.sizes[dimension]);
        let at = self.coordinate(router, dimension);
        match (plus, at) {
            (true, at) if at + 1 == size => router - at * stride,
            (true, _) => router + stride,
            (false, 0) => router + (size - 1) * stride,
            (false, _) => router - stride,
        }
    }

    /// Parts of a router channel: router, dimension, whether it leads in `+` direction.
    fn parts(&self, channel: u32) -> (u32, usize, bool) {
        let width = 2 * self.dimensions();
        let (router, port) = (channel / width, channel % width);
        (router, (port / 2) as usize, port % 2 == 0)
    }

    fn wraps(&self, channel: u32) -> bool {
        let (router, dimension, plus) = self.parts(channel);
        let border = if plus { self.sizes[dimension] - 1 } else { 0 };
        self.coordinate(router, dimension) == border
    }

    pub(crate) fn exists(&self, channel: Channel) -> bool {
        if channel < 2 * self.nodes {
            return true;
        }
        let local = channel - 2 * self.nodes;
        channel < self.channels()
            && self.sizes[self.parts(local).1] > 1
            && (self.ties.is_some() || !self.wraps(local))
    }

    pub(crate) fn routers(&self, channel: u32) -> (u32, u32) {
        let (router, dimension, plus) = self.parts(channel);
        (router, self.next(router, dimension, plus))
    }

    pub(crate) fn dateline_classes(&self, path: &[Channel]) -> Vec<u8> {
        let (mut ring, mut class) = (usize::MAX, 0);
        path.iter()
            .map(|&channel| {
                if channel < 2 * self.nodes {
                    return 0;
                }
                let local = channel - 2 * self.nodes;
                let dimension = self.parts(local).1;
                if dimension != ring {
                    (ring, class) = (dimension, 0);
                }
                if self.wraps(local) {
                    class = 1;
                }
                class
            })
            .collect()
    }

    pub(crate) fn class(&self, channel: u32) -> String {
        let (_, dimension, plus) = self.parts(channel);
        let sign = if plus { '+' } else { '-' };
        match ["x", "y", "z"].get(dimension) {
            Some(axis) => format!("{axis}{sign}"),
            None => format!("d{dimension}{sign}"),
        }
    }

    pub(crate) fn name(&self, channel: u32) -> String {
        format!("{}/{}", self.class(channel), self.parts(channel).0)
    }
}
