//! Single crossbar: all nodes on one router, contention only at injection and ejection.

use crate::{Channel, Node};

#[derive(Debug, Clone)]
pub struct Crossbar {
    nodes: u32,
}

impl Crossbar {
    pub(crate) fn new(nodes: u32) -> Self {
        Self { nodes }
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
