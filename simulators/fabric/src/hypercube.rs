//! Binary hypercube with one router per node. E-cube routes correct the lowest differing bit first.

use crate::about::{About, Class, Key, Routing};
use crate::channels::Topology;
use crate::sizes::power;
use crate::{Channel, FabricError, Node};
use serde::Deserialize;

pub(crate) const ABOUT: About = About {
    kind: "hypercube",
    meaning: "A binary hypercube: 2 to the power of `dimensions` nodes.",
    keys: &[
        Key::exponent("dimensions", "Number of dimensions."),
        Key::routing(
            "e_cube",
            "Lowest dimension first, or any dimension that leads closer and is free.",
        )
        .unsaid(),
    ],
    nodes: "2 ** dimensions",
    routings: &[
        Routing::new("e_cube", "lowest dimension first"),
        Routing::new("minimal_adaptive", "any dimension that leads nearer, the least loaded first")
            .decides_on_the_way()
            .with_classes(2, "one of them for e-cube, on which packets escape from deadlock")
            .with_own_buffers(),
    ],
    ring_classes: &[],
    per_destination: false,
    classes: &[Class::new("d*/*", &["dimensions", "2 ** dimensions"])],
    tapered: &[],
    examples: &[
        r#"{"dimensions": 1}"#,
        r#"{"dimensions": 2}"#,
        r#"{"dimensions": 3}"#,
        r#"{"dimensions": 4}"#,
    ],
};

/// How a message chooses among the dimensions in which it still has to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum CubeRouting {
    /// The lowest one.
    #[default]
    ECube,
    /// The least loaded one; not static.
    MinimalAdaptive,
}

#[derive(Debug, Clone)]
pub struct Hypercube {
    dimensions: u32,
    routing: CubeRouting,
}

impl Topology for Hypercube {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn chosen(&self) -> &'static Routing {
        &ABOUT.routings[self.routing as usize]
    }
}

impl Hypercube {
    pub(crate) fn new(dimensions: u32, routing: CubeRouting) -> Result<Self, FabricError> {
        ABOUT.check("dimensions", dimensions)?;
        power(2, dimensions)?;
        Ok(Self { dimensions, routing })
    }

    pub fn routing(&self) -> CubeRouting {
        self.routing
    }

    pub fn dimensions(&self) -> u32 {
        self.dimensions
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

    pub(crate) fn injection_router(&self, node: Node) -> u32 {
        node
    }

    pub(crate) fn ejection_router(&self, node: Node) -> u32 {
        node
    }

    pub(crate) fn router_count(&self) -> u32 {
        self.nodes()
    }

    /// A port for each dimension, then the port of the node.
    pub(crate) fn ports(&self, _router: u32) -> u32 {
        self.dimensions + 1
    }

    pub(crate) fn node_port(&self, _node: Node) -> u32 {
        self.dimensions
    }

    pub(crate) fn output_port(&self, channel: u32) -> u32 {
        channel % self.dimensions
    }

    pub(crate) fn input_port(&self, channel: u32) -> u32 {
        self.output_port(channel)
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
