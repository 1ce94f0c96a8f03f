//! Nodes, switches, ports and channels of a graph, as a fabric has them.

use super::flow::Flow;
use super::given::GivenLink;
use super::{Graph, GraphRouting};
use crate::{About, Channel, Node, Rails};

impl Graph {
    /// Per channel a place among what the file says of links; none where it says nothing.
    pub(crate) fn given_links(&self) -> (&[u16], &[GivenLink]) {
        (&self.shared.wires.link_of, &self.shared.wires.links)
    }

    /// The hop that begins at the output port of a switch: the number of its channel, less those of the
    /// nodes.
    #[inline]
    pub fn lead(&self, switch: u32, port: u16) -> u32 {
        self.shared.wires.lead(switch, port)
    }

    /// How packets find their way.
    pub(crate) fn routing(&self) -> GraphRouting {
        self.shared.routing
    }

    /// Per input port of each switch: the hop that ends there; the largest number where none does.
    pub fn hops_by_input(&self) -> Vec<Vec<u32>> {
        let wires = &self.shared.wires;
        let ports =
            (0..wires.switches()).map(|switch| vec![u32::MAX; wires.ports(switch) as usize]);
        let mut found: Vec<Vec<u32>> = ports.collect();
        for (number, hop) in wires.hops.iter().enumerate().filter(|(_, hop)| hop.exists()) {
            found[hop.to as usize][hop.to_port as usize] = number as u32;
        }
        found
    }

    /// The output port to a node, at the switch that the node receives from.
    #[inline]
    pub fn ejection_port(&self, node: Node) -> u16 {
        self.shared.wires.ejection[node as usize].port as u16
    }

    /// The topology that it is of, if a spec named one instead of a file.
    pub(crate) fn origin(&self) -> Option<&'static About> {
        self.shared.origin.as_ref().map(|origin| origin.about)
    }

    /// Whether a channel failed.
    pub(crate) fn is_failed(&self, channel: Channel) -> bool {
        let hop = channel.checked_sub(2 * self.nodes());
        hop.is_some_and(|hop| {
            self.shared.wires.failed.get(hop as usize).is_some_and(|&failed| failed)
        })
    }

    /// Its file, for messages.
    pub(crate) fn file(&self) -> &str {
        &self.shared.file
    }

    pub(crate) fn injection_port(&self, node: Node) -> u32 {
        self.shared.wires.injection[node as usize].port
    }

    /// The rails of its hosts, if any has several.
    pub(crate) fn rails(&self) -> Option<&Rails> {
        self.shared.rails.as_ref()
    }

    pub(crate) fn nodes(&self) -> u32 {
        self.shared.wires.nodes()
    }

    pub(crate) fn channels(&self) -> u32 {
        2 * self.nodes() + self.shared.wires.hops.len() as u32
    }

    pub(crate) fn longest_route(&self) -> usize {
        2 + self.shared.longest
    }

    pub(crate) fn injection_router(&self, node: Node) -> u32 {
        self.shared.wires.injection[node as usize].switch
    }

    pub(crate) fn ejection_router(&self, node: Node) -> u32 {
        self.shared.wires.ejection[node as usize].switch
    }

    pub(crate) fn router_count(&self) -> u32 {
        self.shared.wires.switches()
    }

    pub(crate) fn ports(&self, router: u32) -> u32 {
        self.shared.wires.ports(router)
    }

    pub(crate) fn node_port(&self, node: Node) -> u32 {
        self.shared.wires.ejection[node as usize].port
    }

    pub(crate) fn output_port(&self, channel: u32) -> u32 {
        self.shared.wires.hops[channel as usize].from_port
    }

    pub(crate) fn input_port(&self, channel: u32) -> u32 {
        self.shared.wires.hops[channel as usize].to_port
    }

    /// Channels between switches on the route.
    pub(crate) fn distance(&self, src: Node, dst: Node) -> u32 {
        let mut hops = 0;
        if src != dst {
            self.walk(Flow::first(src, dst), |_, _, _| hops += 1);
        }
        hops
    }

    #[inline]
    pub(crate) fn between_routers(&self, src: Node, dst: Node, path: &mut Vec<Channel>) {
        self.between_routers_of(Flow::first(src, dst), path);
    }

    #[inline]
    pub(crate) fn between_routers_of(&self, flow: Flow, path: &mut Vec<Channel>) {
        let first = 2 * self.nodes();
        self.walk(flow, |_, hop, _| path.push(first + hop));
    }

    pub(crate) fn routers(&self, channel: u32) -> (u32, u32) {
        let hop = self.shared.wires.hops[channel as usize];
        (hop.from, hop.to)
    }

    pub(crate) fn class(&self, channel: u32) -> String {
        self.shared.wires.class(channel).into()
    }

    pub(crate) fn name(&self, channel: u32) -> String {
        self.shared.wires.name(channel)
    }
}
