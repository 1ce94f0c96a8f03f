//! Clique: every router has one node and is joined with every other router.

use crate::about::{About, Class, Key, Routing};
use crate::channels::Topology;
use crate::sizes::{numbered, product};
use crate::{Channel, FabricError, Node};

pub(crate) const ABOUT: About = About {
    kind: "clique",
    meaning: "Every two nodes have a channel each way.",
    keys: &[Key::integer("nodes", 2, "Number of nodes.")],
    nodes: "nodes",
    routings: &[Routing::new("one_hop", "the channel between the two routers")],
    ring_classes: &[],
    per_destination: false,
    classes: &[Class::new("direct/*/*", &["nodes", "nodes"])],
    tapered: &[],
    examples: &[r#"{"nodes": 2}"#, r#"{"nodes": 5}"#],
};

#[derive(Debug, Clone)]
pub struct Clique {
    nodes: u32,
}

impl Topology for Clique {
    fn about(&self) -> &'static About {
        &ABOUT
    }
}

impl Clique {
    pub(crate) fn new(nodes: u32) -> Result<Self, FabricError> {
        ABOUT.check("nodes", nodes)?;
        let count = product([nodes].into_iter())?;
        numbered(count, count, count - 1)?;
        Ok(Self { nodes })
    }

    pub(crate) fn nodes(&self) -> u32 {
        self.nodes
    }

    pub(crate) fn channels(&self) -> u32 {
        self.nodes * (self.nodes + 1)
    }

    pub(crate) fn longest_route(&self) -> usize {
        3
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

    /// The ports to the other routers in ascending order, then the port of the node.
    pub(crate) fn ports(&self, _router: u32) -> u32 {
        self.nodes
    }

    pub(crate) fn node_port(&self, _node: Node) -> u32 {
        self.nodes - 1
    }

    /// Place of the channel from router `own` to router `other` among those of `own`.
    fn place(own: u32, other: u32) -> u32 {
        other - u32::from(other > own)
    }

    pub(crate) fn distance(&self, src: Node, dst: Node) -> u32 {
        u32::from(src != dst)
    }

    pub(crate) fn between_routers(&self, src: Node, dst: Node, path: &mut Vec<Channel>) {
        path.push(2 * self.nodes + src * (self.nodes - 1) + Self::place(src, dst));
    }

    pub(crate) fn routers(&self, channel: u32) -> (u32, u32) {
        let (own, place) = (channel / (self.nodes - 1), channel % (self.nodes - 1));
        (own, place + u32::from(place >= own))
    }

    pub(crate) fn output_port(&self, channel: u32) -> u32 {
        channel % (self.nodes - 1)
    }

    pub(crate) fn input_port(&self, channel: u32) -> u32 {
        let (own, other) = self.routers(channel);
        Self::place(other, own)
    }

    pub(crate) fn class(&self, _channel: u32) -> String {
        "direct".into()
    }

    pub(crate) fn name(&self, channel: u32) -> String {
        let (own, other) = self.routers(channel);
        format!("direct/{own}/{other}")
    }
}
