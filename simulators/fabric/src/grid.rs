//! n-dimensional mesh and torus with one router per node and dimension-order routes, x first.
//!
//! Node number = x + size_x · (y + size_y · (z + …)). Each router has a `+` and a `-` channel per
//! dimension. On a torus a message takes the shorter way round each ring. At a distance of exactly half
//! a ring the tie rule decides. A ring of two nodes has distinct `+` and `-` channels.

use crate::about::About;
use crate::channels::Topology;
use crate::grid_facts::{MESH, TORUS};
use crate::sizes::{numbered, product};
use crate::ties::{Ties, drawn_for_pair};
use crate::{Channel, FabricError, Node, TorusClasses};

#[derive(Debug, Clone)]
pub struct Grid {
    sizes: Vec<u32>,
    strides: Vec<u32>,
    nodes: u32,
    /// `None` for a mesh.
    ties: Option<Ties>,
    seed: u64,
}

/// The part of a message's way that lies in one dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leg {
    pub dimension: usize,
    /// The router where it begins.
    pub router: u32,
    /// Coordinates at its beginning and at its end.
    pub from: u32,
    pub to: u32,
    /// Whether it leads in `+` direction.
    pub plus: bool,
    pub steps: u32,
}

impl Topology for Grid {
    fn about(&self) -> &'static About {
        if self.ties.is_some() { &TORUS } else { &MESH }
    }

    fn exists(&self, channel: Channel) -> bool {
        if channel < 2 * self.nodes {
            return true;
        }
        let local = channel - 2 * self.nodes;
        channel < self.channels()
            && self.sizes[self.parts(local).1] > 1
            && (self.ties.is_some() || !self.wraps(local))
    }

    fn digit_sizes(&self) -> Option<Vec<u32>> {
        Some(self.sizes.clone())
    }

    /// By the dateline of each ring; see [`TorusClasses::of_ring`].
    fn virtual_classes(&self, path: &[Channel]) -> Vec<u8> {
        if self.ties.is_none() {
            return vec![0; path.len()];
        }
        let mut classes = vec![0; path.len()];
        let mut first = 0;
        while first < path.len() {
            let Some((from, dimension, plus)) = self.ring_of(path[first]) else {
                first += 1;
                continue;
            };
            let same =
                |&&channel: &&Channel| self.ring_of(channel).is_some_and(|r| r.1 == dimension);
            let end = first + path[first..].iter().take_while(same).count();
            let last = self.parts(path[end - 1] - 2 * self.nodes).0;
            let to = self.coordinate(self.next(last, dimension, plus), dimension);
            let ends = (self.coordinate(from, dimension), to);
            let class = TorusClasses::Dateline.of_ring(ends, plus, self.sizes[dimension]);
            classes[first..end].fill(class.unwrap_or(0));
            first = end;
        }
        classes
    }
}

impl Grid {
    pub(crate) fn new(sizes: Vec<u32>, ties: Option<Ties>, seed: u64) -> Result<Self, FabricError> {
        // A dimension of one node is useless, but valid.
        let (key, least) = ("sizes", 1);
        if sizes.is_empty() {
            return Err(FabricError::TooSmall { key: "number of sizes", value: 0, least });
        }
        if sizes.contains(&0) {
            return Err(FabricError::TooSmall { key, value: 0, least });
        }
        let nodes = product(sizes.iter().copied())?;
        numbered(nodes, nodes, 2 * sizes.len() as u64)?;
        let mut strides = Vec::with_capacity(sizes.len());
        let mut nodes = 1;
        for size in &sizes {
            strides.push(nodes);
            nodes *= size;
        }
        Ok(Self { sizes, strides, nodes, ties, seed })
    }

    /// Nodes per dimension, x first.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// What random ties are drawn from.
    pub(crate) fn seed(&self) -> u64 {
        self.seed
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

    /// For each dimension the `+` port and the `-` port, then the port of the node.
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

    fn coordinate(&self, node: Node, dimension: usize) -> u32 {
        node / self.strides[dimension] % self.sizes[dimension]
    }

    pub(crate) fn distance(&self, src: Node, dst: Node) -> u32 {
        self.legs(src, dst).map(|leg| leg.steps).sum()
    }

    /// The way of a message, with a leg for each dimension, x first.
    #[inline]
    pub fn legs(&self, src: Node, dst: Node) -> impl Iterator<Item = Leg> + '_ {
        // Divides the node numbers step by step, because divisions take most of a route's time.
        let (mut src_rest, mut dst_rest, mut router) = (src, dst, src);
        let dimensions = self.sizes.iter().zip(&self.strides).enumerate();
        dimensions.map(move |(dimension, (&size, &stride))| {
            let (from, to) = (src_rest % size, dst_rest % size);
            (src_rest, dst_rest) = (src_rest / size, dst_rest / size);
            let (plus, steps) = self.way((src, dst), dimension, (from, to));
            let leg = Leg { dimension, router, from, to, plus, steps };
            router = router - from * stride + to * stride;
            leg
        })
    }

    /// Direction and steps in one dimension; true is `+`.
    #[inline]
    fn way(&self, ends: (Node, Node), dimension: usize, (from, to): (u32, u32)) -> (bool, u32) {
        let (straight, inside) = (from.abs_diff(to), to > from);
        let Some(ties) = self.ties else {
            return (inside, straight);
        };
        let around = self.sizes[dimension] - straight;
        if straight != around {
            return (inside == (straight < around), straight.min(around));
        }
        let plus = match ties {
            Ties::Plus => true,
            Ties::AvoidWrap => inside,
            Ties::Simgrid => to != 0,
            Ties::Random | Ties::RandomPerPair => drawn_for_pair(self.seed, ends, dimension),
        };
        (plus, straight)
    }

    /// The channels of a leg in their order.
    #[inline]
    pub fn channels_of(&self, leg: Leg) -> impl Iterator<Item = Channel> {
        let Leg { dimension, router, from, plus, steps, .. } = leg;
        let (width, size) = (2 * self.dimensions(), self.sizes[dimension]);
        let first = 2 * self.nodes + 2 * dimension as u32 + u32::from(!plus) + router * width;
        // The distance from one channel number to the next, modulo 2^32, and how many channels come before
        // the ring closes.
        let ahead = self.strides[dimension] * width;
        let (ahead, before) =
            if plus { (ahead, size - from) } else { (ahead.wrapping_neg(), from + 1) };
        (0..steps).map(move |i| {
            let place = if i < before { i } else { i.wrapping_sub(size) };
            first.wrapping_add(place.wrapping_mul(ahead))
        })
    }

    #[inline]
    pub(crate) fn between_routers(&self, src: Node, dst: Node, path: &mut Vec<Channel>) {
        self.legs(src, dst).for_each(|leg| path.extend(self.channels_of(leg)));
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

    /// Router, dimension and direction of a channel, if it is one of a ring.
    fn ring_of(&self, channel: Channel) -> Option<(u32, usize, bool)> {
        (channel >= 2 * self.nodes).then(|| self.parts(channel - 2 * self.nodes))
    }

    fn wraps(&self, channel: u32) -> bool {
        let (router, dimension, plus) = self.parts(channel);
        let border = if plus { self.sizes[dimension] - 1 } else { 0 };
        self.coordinate(router, dimension) == border
    }

    pub(crate) fn routers(&self, channel: u32) -> (u32, u32) {
        let (router, dimension, plus) = self.parts(channel);
        (router, self.next(router, dimension, plus))
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
