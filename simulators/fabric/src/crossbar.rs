//! Single crossbar: all nodes on one router, so that messages compete only at injection and ejection.

use crate::about::{About, Key, Routing};
use crate::channels::Topology;
use crate::{Channel, FabricError, MAX_NODES, Node};

pub(crate) const ABOUT: About = About {
    kind: "crossbar",
    meaning: "All nodes on one switch.",
    keys: &[Key::integer("nodes", 2, "Number of nodes.")],
    nodes: "nodes",
    routings: &[Routing::new("direct", "one router")],
    ring_classes: &[],
    per_destination: false,
    classes: &[],
    tapered: &[],
    examples: &[r#"{"nodes": 2}"#, r#"{"nodes": 5}"#],
};

#[derive(Debug, Clone)]
pub struct Crossbar {
    nodes: u32,
}

impl Topology for Crossbar {
    fn about(&self) -> &'static About {
        &ABOUT
    }
}

impl Crossbar {
    pub(crate) fn new(nodes: u64) -> Result<Self, FabricError> {
        match nodes {
            // A switch with one node is useless, but valid.
            0 => Err(FabricError::TooSmall { key: "nodes", value: 0, least: 1 }),
            nodes if nodes > MAX_NODES => Err(FabricError::TooLarge),
            nodes => Ok(Self { nodes: nodes as u32 }),
        }
    }

    pub(crate) fn nodes(&self) -> u32 {
        self.nodes
    }

    pub(crate) fn channels(&self) -> u32 {
        2 * self.nodes
    }

    pub(crate) fn longest_route(&self) -> usize {
        2
    }

    pub(crate) fn injection_router(&self, _node: Node) -> u32 {
        0
    }

    pub(crate) fn ejection_router(&self, _node: Node) -> u32 {
        0
    }

    pub(crate) fn router_count(&self) -> u32 {
        1
    }

    pub(crate) fn ports(&self, _router: u32) -> u32 {
        self.nodes
    }

    pub(crate) fn node_port(&self, node: Node) -> u32 {
        node
    }

    pub(crate) fn output_port(&self, _channel: u32) -> u32 {
        0
    }

    pub(crate) fn input_port(&self, _channel: u32) -> u32 {
        0
    }

    pub(crate) fn distance(&self, _src: Node, _dst: Node) -> u32 {
        0
    }

    pub(crate) fn between_routers(&self, _src: Node, _dst: Node, _path: &mut Vec<Channel>) {}

    pub(crate) fn routers(&self, _channel: u32) -> (u32, u32) {
        (0, 0)
    }

    pub(crate) fn class(&self, _channel: u32) -> String {
        String::new()
    }

    pub(crate) fn name(&self, _channel: u32) -> String {
        String::new()
    }
}
