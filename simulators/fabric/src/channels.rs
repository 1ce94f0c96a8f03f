//! Channels and routes of a fabric.

use crate::{About, Channel, End, Fabric, Node, Routing};

/// In what topologies may differ beside their graphs.
pub(crate) trait Topology {
    fn about(&self) -> &'static About;

    /// The routing in use; the only one where there is no choice.
    fn chosen(&self) -> &'static Routing {
        &self.about().routings[0]
    }

    /// Whether a number below that of all channels belongs to one.
    fn exists(&self, _channel: Channel) -> bool {
        true
    }

    fn digit_sizes(&self) -> Option<Vec<u32>> {
        None
    }

    fn virtual_classes(&self, path: &[Channel]) -> Vec<u8> {
        vec![0; path.len()]
    }
}

impl Fabric {
    /// Number of nodes.
    pub fn nodes(&self) -> u32 {
        each!(self, f => f.nodes())
    }

    /// Upper bound of channel numbers; a mesh leaves the numbers beyond its border unused.
    pub fn channels(&self) -> u32 {
        each!(self, f => f.channels())
    }

    /// Whether the number belongs to a channel that exists.
    pub fn exists(&self, channel: Channel) -> bool {
        channel < self.channels() && each!(self, f => f.exists(channel))
    }

    /// Most channels on any route, injection and ejection included.
    pub fn longest_route(&self) -> usize {
        each!(self, f => f.longest_route())
    }

    /// Appends the channels from `src` to `dst`; nothing when both are the same node.
    #[inline]
    pub fn route(&self, src: Node, dst: Node, path: &mut Vec<Channel>) {
        if src == dst {
            return;
        }
        path.push(src);
        each!(self, f => f.between_routers(src, dst, path));
        path.push(self.nodes() + dst);
    }

    /// Router-to-router channels on a route with `channels` channels.
    pub fn hops(channels: usize) -> usize {
        channels.saturating_sub(2)
    }

    /// Fewest router-to-router channels between two nodes; on a dragonfly among the paths with at
    /// most one global channel.
    pub fn distance(&self, src: Node, dst: Node) -> u32 {
        each!(self, f => f.distance(src, dst))
    }

    /// Where a channel begins and ends.
    pub fn ends(&self, channel: Channel) -> (End, End) {
        let nodes = self.nodes();
        if channel < nodes {
            (End::Node(channel), End::Router(self.injection_router(channel)))
        } else if channel < 2 * nodes {
            let node = channel - nodes;
            (End::Router(self.ejection_router(node)), End::Node(node))
        } else {
            let (from, to) = each!(self, f => f.routers(channel - 2 * nodes));
            (End::Router(from), End::Router(to))
        }
    }

    /// Router that a node sends to.
    pub fn injection_router(&self, node: Node) -> u32 {
        each!(self, f => f.injection_router(node))
    }

    /// Router that a node receives from; the same one, except in a fly.
    pub fn ejection_router(&self, node: Node) -> u32 {
        each!(self, f => f.ejection_router(node))
    }

    /// Class of a channel, for example `injection`, `up` or `x+`.
    pub fn class(&self, channel: Channel) -> String {
        let nodes = self.nodes();
        match channel {
            c if c < nodes => "injection".into(),
            c if c < 2 * nodes => "ejection".into(),
            c => each!(self, f => f.class(c - 2 * nodes)),
        }
    }

    /// Name of a channel, unique in the fabric: its class and its place.
    pub fn name(&self, channel: Channel) -> String {
        let nodes = self.nodes();
        match channel {
            c if c < nodes => format!("injection/{c}"),
            c if c < 2 * nodes => format!("ejection/{}", c - nodes),
            c => each!(self, f => f.name(c - 2 * nodes)),
        }
    }

    /// Radix of each digit of a node number, lowest first, where node numbers have digits.
    pub fn digit_sizes(&self) -> Option<Vec<u32>> {
        each!(self, f => f.digit_sizes())
    }

    /// Virtual-channel class per channel of a route, such that static routes cannot deadlock.
    pub fn virtual_classes(&self, path: &[Channel]) -> Vec<u8> {
        each!(self, f => f.virtual_classes(path))
    }

    /// What is said of the topology.
    pub fn about(&self) -> &'static About {
        each!(self, f => f.about())
    }

    /// What is said of the routing that was chosen.
    pub fn routing(&self) -> &'static Routing {
        each!(self, f => f.chosen())
    }
}
