//! Routes that the file of a graph gives.

use super::file::RouteColumns;
use super::wires::{NOTHING, Wires};
use std::collections::{BTreeMap, BTreeSet};

const NO_PORT: u16 = u16::MAX;

/// Output ports and classes of virtual channels of given routes.
#[derive(Debug)]
pub(super) enum Table {
    /// By switch and node: entry `switch N + node`.
    Destination { ports: Vec<u16>, classes: Vec<u8> },
    /// By pair of nodes; see [`RouteColumns::Pair`].
    Pair { first: Vec<u32>, ports: Vec<u16>, classes: Vec<u8> },
}

/// What follows from given routes.
#[derive(Debug)]
pub(super) struct Facts {
    /// Most channels between switches of a route.
    pub longest: usize,
    /// One more than the highest class.
    pub classes: u16,
}

impl Table {
    /// Reads routes and follows each of them to its destination.
    pub fn new(columns: RouteColumns, wires: &Wires) -> Result<(Self, Facts), String> {
        let (table, classes) = match columns {
            RouteColumns::Destination { router, node, port, class, classes } => {
                (by_destination([&router, &node], port, class, wires)?, classes)
            }
            RouteColumns::Pair { first, port, class, classes } => {
                let pairs = wires.nodes() as usize * wires.nodes() as usize;
                let rises = first.windows(2).all(|two| two[0] <= two[1]);
                let ends = (first.first().copied(), first.last().map(|&last| last as usize));
                if first.len() != pairs + 1
                    || !rises
                    || ends != (Some(0), Some(port.len()))
                    || class.len() != port.len()
                {
                    return Err(format!(
                        "routes.first must rise from 0 to the {} steps of the routes and have {} \
                         entries, one more than there are pairs of nodes; port and class have an \
                         entry for each step",
                        port.len(),
                        pairs + 1
                    ));
                }
                (Self::Pair { first, ports: port, classes: class }, classes)
            }
        };
        let mut facts = Facts { longest: 0, classes: classes.max(1) };
        for src in table.sources(wires) {
            for dst in (0..wires.nodes()).filter(|&dst| dst != src) {
                let route = table.follow(wires, src, dst)?;
                facts.longest = facts.longest.max(route.len());
                for (_, class) in &route {
                    facts.classes = facts.classes.max(u16::from(*class) + 1);
                }
            }
        }
        Ok((table, facts))
    }

    #[inline]
    pub fn is_by_destination(&self) -> bool {
        matches!(self, Self::Destination { .. })
    }

    /// Nodes from which all routes begin that differ.
    fn sources(&self, wires: &Wires) -> Vec<u32> {
        let mut nodes: Vec<u32> = (0..wires.nodes()).collect();
        if matches!(self, Self::Destination { .. }) {
            let switch = |node: &u32| wires.injection[*node as usize].switch;
            nodes.sort_by_key(switch);
            nodes.dedup_by_key(|node| switch(node));
        }
        nodes
    }

    /// Channels, with their classes, that wait for each other in a circle; empty if none do.
    pub fn circle(&self, wires: &Wires) -> Result<Vec<(u32, u8)>, String> {
        let mut after: BTreeMap<(u32, u8), BTreeSet<(u32, u8)>> = BTreeMap::new();
        for src in self.sources(wires) {
            for dst in (0..wires.nodes()).filter(|&dst| dst != src) {
                for two in self.follow(wires, src, dst)?.windows(2) {
                    after.entry(two[0]).or_default().insert(two[1]);
                }
            }
        }
        // What waits for nobody can go on, and then whoever waits for that.
        loop {
            let before = after.len();
            let known: BTreeSet<(u32, u8)> = after.keys().copied().collect();
            after.retain(|_, next| {
                next.retain(|each| known.contains(each));
                !next.is_empty()
            });
            if after.len() == before {
                break;
            }
        }
        let mut circle = vec![];
        let mut at = after.keys().next().copied();
        while let Some(next) = at {
            if let Some(first) = circle.iter().position(|&known| known == next) {
                return Ok(circle.split_off(first));
            }
            circle.push(next);
            at = after.get(&next).and_then(|then| then.first().copied());
        }
        Ok(circle)
    }

    /// The port of a switch and the class behind it; `step` counts the switches before it.
    #[inline]
    pub fn step(
        &self,
        (src, dst): (u32, u32),
        at: u32,
        step: u32,
        nodes: u32,
    ) -> Option<(u16, u8)> {
        let place = match self {
            Self::Destination { .. } => at as usize * nodes as usize + dst as usize,
            Self::Pair { first, .. } => {
                let pair = src as usize * nodes as usize + dst as usize;
                let place = first[pair] + step;
                if place >= first[pair + 1] {
                    return None;
                }
                place as usize
            }
        };
        let (Self::Destination { ports, classes } | Self::Pair { ports, classes, .. }) = self;
        Some((ports[place], classes[place])).filter(|(port, _)| *port != NO_PORT)
    }

    /// The hops of a route with their classes, checked.
    fn follow(&self, wires: &Wires, src: u32, dst: u32) -> Result<Vec<(u32, u8)>, String> {
        let name = |node: u32| &wires.node_names[node as usize];
        let problem = |what: &str, at: u32| {
            let at = &wires.switch_names[at as usize];
            format!("the route from {} to {} {what} at {at}", name(src), name(dst))
        };
        let (mut at, target) = (wires.injection[src as usize].switch, wires.ejection[dst as usize]);
        let mut route: Vec<(u32, u8)> = vec![];
        loop {
            let step = self.step((src, dst), at, route.len() as u32, wires.nodes());
            let ends = match self {
                Self::Destination { .. } => at == target.switch,
                Self::Pair { .. } => step.is_none(),
            };
            if ends {
                let arrives = at == target.switch;
                return if arrives { Ok(route) } else { Err(problem("ends", at)) };
            }
            let Some((port, class)) = step else { return Err(problem("has no next hop", at)) };
            if u32::from(port) >= wires.ports(at) || wires.lead(at, port) == NOTHING {
                return Err(problem(&format!("takes port {port}, which leads to no switch,"), at));
            }
            let hop = wires.lead(at, port);
            route.push((hop, class));
            at = wires.hops[hop as usize].to;
            if route.iter().any(|&(known, _)| wires.hops[known as usize].from == at) {
                return Err(problem("visits a switch twice,", at));
            }
        }
    }
}

fn by_destination(
    [router, node]: [&[u32]; 2],
    port: Vec<u16>,
    class: Vec<u8>,
    wires: &Wires,
) -> Result<Table, String> {
    let (nodes, switches) = (wires.nodes() as usize, wires.switches() as usize);
    if [node.len(), port.len(), class.len()] != [router.len(); 3] {
        return Err("the columns of routes differ in length".into());
    }
    let mut ports = vec![NO_PORT; switches * nodes];
    let mut classes = vec![0; switches * nodes];
    for (at, (&router, &node)) in router.iter().zip(node).enumerate() {
        if router as usize >= switches || node as usize >= nodes {
            return Err(format!(
                "entry {at} of routes is of router {router} and node {node}; there are {switches} \
                 routers and {nodes} nodes, counted from 0"
            ));
        }
        let place = router as usize * nodes + node as usize;
        if ports[place] != NO_PORT {
            let (router, node) =
                (&wires.switch_names[router as usize], &wires.node_names[node as usize]);
            return Err(format!("{router} has two routes to {node}"));
        }
        (ports[place], classes[place]) = (port[at], class[at]);
    }
    Ok(Table::Destination { ports, classes })
}
