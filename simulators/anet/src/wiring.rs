//! Routers, ports and links, made of a topology.

use fabric::{Channel, End, Fabric, Node};
use std::collections::HashMap;

/// Ports to neighbours of a router, at most.
pub const MOST_PORTS: usize = 6;
/// Nodes of a router, at most: its processor and its host.
pub const MOST_NODES: usize = 2;
/// Routers, at most: the table has an entry for each pair.
pub const MOST_ROUTERS: u32 = 4096;

/// A port to a neighbour.
#[derive(Debug, Clone, Copy)]
pub struct Port {
    pub neighbour: u32,
    /// The neighbour's port at the other end.
    pub theirs: u8,
    /// The channel out of this port.
    pub channel: Channel,
    /// The link has a number, and each of its ends a side.
    pub link: u32,
    pub side: u8,
}

/// A router with what is attached to it.
#[derive(Debug, Clone, Default)]
pub struct Router {
    pub ports: Vec<Port>,
    /// The node whose processor shares the memory; a router may have none.
    pub processor: Option<Node>,
    /// The node at the host port.
    pub host: Option<Node>,
}

/// All routers.
#[derive(Debug, Clone)]
pub struct Wiring {
    pub routers: Vec<Router>,
    /// The link of a router's host port has this number plus that of the router.
    pub first_host_link: u32,
    /// Router of each node.
    pub router_of: Vec<u32>,
    /// Names for messages about mistakes.
    pub names: Vec<String>,
}

impl Wiring {
    /// # Errors
    /// Says what a network of A-NET routers cannot have: more ports, links of one direction, nodes that
    /// are neither a router's processor nor its host.
    pub fn new(fabric: &Fabric) -> Result<Self, String> {
        let count = fabric.routers();
        if count > MOST_ROUTERS {
            return Err(format!(
                "the topology has {count} routers, must be at most {MOST_ROUTERS} for anet"
            ));
        }
        let names = (0..count).map(|router| fabric.end_name(End::Router(router))).collect();
        let mut wiring = Self {
            routers: vec![Router::default(); count as usize],
            first_host_link: 0,
            router_of: Vec::new(),
            names,
        };
        wiring.attach_nodes(fabric)?;
        wiring.join(fabric)?;
        Ok(wiring)
    }

    fn attach_nodes(&mut self, fabric: &Fabric) -> Result<(), String> {
        for node in 0..fabric.nodes() {
            let (router, back) = (fabric.injection_router(node), fabric.ejection_router(node));
            if router != back {
                return Err(format!(
                    "node {node} sends to router {router} and receives from router {back}; with \
                     anet both must be one router"
                ));
            }
            self.router_of.push(router);
            let name = &self.names[router as usize];
            let place = &mut self.routers[router as usize];
            match (place.processor, place.host) {
                (None, _) => place.processor = Some(node),
                (_, None) => place.host = Some(node),
                _ => {
                    return Err(format!(
                        "{name} has more than {MOST_NODES} nodes; a router of anet has a processor and, at \
                         its host port, a host"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Ports in the order of the fabric's, and links of a channel in each direction.
    fn join(&mut self, fabric: &Fabric) -> Result<(), String> {
        let mut outs: Vec<Vec<(u32, Channel)>> = vec![Vec::new(); self.routers.len()];
        for channel in (2 * fabric.nodes()..fabric.channels()).filter(|&c| fabric.exists(c)) {
            if let ((End::Router(from), _), Some(port)) =
                (fabric.ends(channel), fabric.output_port(channel))
            {
                outs[from as usize].push((port, channel));
            }
        }
        let mut place = HashMap::new();
        for (router, ports) in outs.iter_mut().enumerate() {
            ports.sort_unstable();
            if ports.len() > MOST_PORTS {
                return Err(format!(
                    "{} has {} links to other routers, must be at most {MOST_PORTS} for anet",
                    self.names[router],
                    ports.len()
                ));
            }
            for (number, &(port, _)) in ports.iter().enumerate() {
                place.insert((router as u32, port), number as u8);
            }
        }
        for (router, ports) in outs.iter().enumerate() {
            for &(_, channel) in ports {
                let port = self.port(fabric, channel, &place)?;
                self.routers[router].ports.push(port);
            }
        }
        self.number_links();
        Ok(())
    }

    fn port(
        &self,
        fabric: &Fabric,
        channel: Channel,
        place: &HashMap<(u32, u32), u8>,
    ) -> Result<Port, String> {
        let one_way = || {
            format!(
                "channel {} has no channel back, which a link of anet needs",
                fabric.name(channel)
            )
        };
        let (_, End::Router(neighbour)) = fabric.ends(channel) else { return Err(one_way()) };
        let back = fabric.input_port(channel).ok_or_else(one_way)?;
        let theirs = *place.get(&(neighbour, back)).ok_or_else(one_way)?;
        Ok(Port { neighbour, theirs, channel, link: u32::MAX, side: 0 })
    }

    fn number_links(&mut self) {
        let mut links = 0;
        for router in 0..self.routers.len() {
            for port in 0..self.routers[router].ports.len() {
                let Port { neighbour, theirs, link, .. } = self.routers[router].ports[port];
                if link != u32::MAX {
                    continue;
                }
                (self.routers[router].ports[port].link, links) = (links, links + 1);
                let other = &mut self.routers[neighbour as usize].ports[usize::from(theirs)];
                (other.link, other.side) = (links - 1, 1);
            }
        }
        self.first_host_link = links;
    }

    /// Links between routers, then one for each router's host.
    pub fn links(&self) -> usize {
        self.first_host_link as usize + self.routers.len()
    }
}
