//! The way of a packet, step by step.

use super::flow::Flow;
use super::shared::Ways;
use super::{Graph, GraphRouting};
use crate::{Channel, Node};

/// A step of a route: the output port of a switch, the class of virtual channels behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GraphStep {
    pub port: u16,
    pub class: u8,
}

impl Graph {
    /// The virtual layer of packets from one node to another: the class of all channels on their way.
    /// Routes of the file have a class at each step instead.
    #[inline]
    pub fn layer(&self, src: Node, dst: Node) -> u8 {
        match self.shared.layers.get() {
            Some(Ok(layers)) => layers.of(self.injection_router(src), self.ejection_router(dst)),
            _ => 0,
        }
    }

    /// The next step of a packet, `layer` its virtual layer. `entered` is the hop by which it came,
    /// if it came from a switch, and `step` counts the switches that it left. None at the last switch.
    #[inline]
    pub fn step(
        &self,
        flow: Flow,
        (at, entered): (u32, Option<u32>),
        (step, layer): (u32, u8),
    ) -> Option<GraphStep> {
        let (shared, Flow { src, dst, message }) = (&self.shared, flow);
        match &shared.ways {
            Ways::Computed(rows) => {
                let target = shared.wires.ejection[dst as usize].switch;
                if at == target {
                    return None;
                }
                let phase = entered.map_or(0, |hop| rows.phase_behind(hop));
                let port = rows.port(&shared.wires, (at, phase), target)?;
                Some(GraphStep { port, class: layer })
            }
            Ways::Every(minimal) => {
                let target = shared.wires.ejection[dst as usize].switch;
                let message = if shared.routing == GraphRouting::Ecmp { message } else { 0 };
                let flow = Flow { src, dst, message };
                let port = minimal.hashed(&shared.wires, at, target, flow)?;
                Some(GraphStep { port, class: minimal.class(step) })
            }
            Ways::Given { table, .. } => {
                let is_there = at == shared.wires.ejection[dst as usize].switch;
                let (port, class) = table.step((src, dst), at, step, self.nodes())?;
                (!(is_there && table.is_by_destination())).then_some(GraphStep { port, class })
            }
        }
    }

    /// How many switches a packet left before this one, where routes are by pair of nodes; else 0, as
    /// nothing depends on it.
    #[inline]
    pub fn place(&self, pair: (Node, Node), router: u32) -> u32 {
        match &self.shared.ways {
            Ways::Computed(_) => 0,
            Ways::Given { table, .. } if table.is_by_destination() => 0,
            Ways::Every(minimal) => {
                let (source, target) =
                    (self.injection_router(pair.0), self.ejection_router(pair.1));
                minimal.taken(&self.shared.wires, source, router, target)
            }
            Ways::Given { table, .. } => {
                let wires = &self.shared.wires;
                let (mut at, mut place) = (self.injection_router(pair.0), 0);
                while at != router {
                    let Some((port, _)) = table.step(pair, at, place, self.nodes()) else { break };
                    at = wires.hops[wires.lead(at, port) as usize].to;
                    place += 1;
                }
                place
            }
        }
    }

    /// The output ports of a switch from which a packet may choose, where it chooses; none at the last
    /// switch. All of them have one class.
    pub(crate) fn choices(
        &self,
        (src, dst): (Node, Node),
        at: u32,
    ) -> Option<(impl Iterator<Item = u16> + Clone + '_, u8)> {
        let Ways::Every(minimal) = &self.shared.ways else { return None };
        let (wires, target) = (&self.shared.wires, self.ejection_router(dst));
        let taken = minimal.taken(wires, self.injection_router(src), at, target);
        (at != target).then(|| (minimal.nearer(wires, at, target), minimal.class(taken)))
    }

    /// Calls `visit` for each way of packets that choose among several.
    pub(crate) fn each_way<E>(
        &self,
        (src, dst): (Node, Node),
        visit: &mut impl FnMut(&[Channel]) -> Result<(), E>,
    ) -> Result<(), E> {
        if src == dst {
            return Ok(());
        }
        let (wires, first) = (&self.shared.wires, 2 * self.nodes());
        let hops = |at| {
            let ports = self.choices((src, dst), at).into_iter().flat_map(|(ports, _)| ports);
            ports.map(move |port| wires.lead(at, port))
        };
        // What is left to try at each switch of the way: `path` has a hop for each but the last.
        let (mut path, mut left) = (vec![src], vec![]);
        let mut at = self.injection_router(src);
        loop {
            if at == self.ejection_router(dst) {
                path.push(self.nodes() + dst);
                visit(&path)?;
                path.pop();
            } else {
                left.push(hops(at));
            }
            let next = loop {
                let Some(own) = left.last_mut() else { return Ok(()) };
                match own.next() {
                    Some(hop) => break hop,
                    None => drop(left.pop()),
                }
            };
            path.truncate(left.len());
            path.push(first + next);
            at = wires.hops[next as usize].to;
        }
    }

    /// Calls `visit` for each step between switches with its place, its hop and its class.
    #[inline]
    pub(super) fn walk(&self, flow: Flow, mut visit: impl FnMut(usize, u32, u8)) {
        let wires = &self.shared.wires;
        let (mut at, mut entered, mut place) = (wires.injection[flow.src as usize].switch, None, 0);
        let layer = self.layer(flow.src, flow.dst);
        while let Some(step) = self.step(flow, (at, entered), (place, layer)) {
            let hop = wires.lead(at, step.port);
            visit(place as usize, hop, step.class);
            (at, entered, place) = (wires.hops[hop as usize].to, Some(hop), place + 1);
        }
    }
}
