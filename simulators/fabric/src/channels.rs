//! Channels and routes of a fabric.

use crate::{About, Channel, End, Fabric, FabricError, Flow, Node, Rails, Routing};

/// How topologies differ beside their graphs. The defaults are those of most topologies.
pub(crate) trait Topology {
    fn about(&self) -> &'static About;

    /// The chosen routing. By default, the topology has only one.
    fn chosen(&self) -> &'static Routing {
        &self.about().routings[0]
    }

    /// Whether a channel has this number, which is below [`Fabric::channels`].
    fn exists(&self, _channel: Channel) -> bool {
        true
    }

    fn digit_sizes(&self) -> Option<Vec<u32>> {
        None
    }

    /// Classes of virtual channels that routes need, and what each is for.
    fn vc_classes(&self) -> Result<(u16, &'static str), FabricError> {
        let chosen = self.chosen();
        Ok((chosen.classes, chosen.each))
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

    /// Number of hosts, for which workloads are: nodes, unless some have several rails.
    pub fn hosts(&self) -> u32 {
        self.rails().map_or(self.nodes(), Rails::hosts)
    }

    /// The rails of hosts, which are the nodes then, if any host has several.
    pub fn rails(&self) -> Option<&Rails> {
        match self {
            Self::Graph(graph) => graph.rails(),
            _ => None,
        }
    }

    /// Upper bound of channel numbers. A mesh leaves numbers at its border unused.
    pub fn channels(&self) -> u32 {
        each!(self, f => f.channels())
    }

    /// Whether a channel has this number.
    #[inline]
    pub fn exists(&self, channel: Channel) -> bool {
        channel < self.channels() && each!(self, f => f.exists(channel))
    }

    /// Whether a channel is there, or would be had it not failed: what tables list.
    pub fn lists(&self, channel: Channel) -> bool {
        self.exists(channel) || self.is_failed(channel)
    }

    fn is_failed(&self, channel: Channel) -> bool {
        matches!(self, Self::Graph(graph) if graph.is_failed(channel))
    }

    /// The most channels of a route, injection and ejection included.
    pub fn longest_route(&self) -> usize {
        each!(self, f => f.longest_route())
    }

    /// Appends the channels from `src` to `dst`, for their first message; nothing when both are the same
    /// node.
    #[inline]
    pub fn route(&self, src: Node, dst: Node, path: &mut Vec<Channel>) {
        self.route_of(Flow::first(src, dst), path);
    }

    /// The same for any message.
    #[inline]
    pub fn route_of(&self, flow: Flow, path: &mut Vec<Channel>) {
        let Flow { src, dst, .. } = flow;
        if src == dst {
            return;
        }
        path.push(src);
        match self {
            Self::Graph(graph) => graph.between_routers_of(flow, path),
            _ => each!(self, f => f.between_routers(src, dst, path)),
        }
        path.push(self.nodes() + dst);
    }

    /// Calls `visit` for every route that a message between two nodes may take.
    ///
    /// # Errors
    /// The first error of `visit`.
    pub fn each_route<E>(
        &self,
        src: Node,
        dst: Node,
        visit: &mut impl FnMut(&[Channel]) -> Result<(), E>,
    ) -> Result<(), E> {
        match self {
            Self::Graph(graph) if self.routing().is_by_message => graph.each_way((src, dst), visit),
            _ => {
                let mut path = vec![];
                self.route(src, dst, &mut path);
                visit(&path)
            }
        }
    }

    /// Number of router-to-router channels on a route of `channels` channels.
    pub fn hops(channels: usize) -> usize {
        channels.saturating_sub(2)
    }

    /// The fewest router-to-router channels between two nodes. On a dragonfly only paths with at most one
    /// global channel count, on a graph those of the route.
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

    /// Router that a node receives from. In a fly, it is another router than the one it sends to.
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

    /// Name, class and both ends of a channel, as tables list them; the class of one that failed is
    /// `failed`.
    pub fn described(&self, channel: Channel) -> String {
        let ends = self.ends(channel);
        let (from, to) = (self.end_name(ends.0), self.end_name(ends.1));
        let class = if self.is_failed(channel) { "failed".into() } else { self.class(channel) };
        let name = self.name(channel);
        format!("{name},{class},{from},{to}")
    }

    /// The name that a graph's file gives a node or router; elsewhere its number.
    pub fn end_name(&self, end: End) -> String {
        match self {
            Self::Graph(graph) if graph.origin().is_none() => graph.end_name(end).into(),
            _ => end.to_string(),
        }
    }

    /// Radix of each digit of a node number, lowest first; none if node numbers have no digits.
    pub fn digit_sizes(&self) -> Option<Vec<u32>> {
        each!(self, f => f.digit_sizes())
    }

    /// Classes of virtual channels that routes need so that packets cannot deadlock, and what each is for.
    ///
    /// # Errors
    /// If packets of a graph could deadlock whatever there is.
    pub fn vc_classes(&self) -> Result<(u16, &'static str), FabricError> {
        each!(self, f => f.vc_classes())
    }

    /// The virtual-channel class on each channel of a whole route. With these classes static routes cannot
    /// deadlock.
    pub fn virtual_classes(&self, path: &[Channel]) -> Vec<u8> {
        each!(self, f => f.virtual_classes(path))
    }

    /// The description of the topology.
    pub fn about(&self) -> &'static About {
        each!(self, f => f.about())
    }

    /// The description of the chosen routing.
    pub fn routing(&self) -> &'static Routing {
        each!(self, f => f.chosen())
    }
}
