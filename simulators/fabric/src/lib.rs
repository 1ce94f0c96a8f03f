//! Interconnect topologies and their static routes.
//!
//! A *fabric* is a set of nodes, routers and unidirectional channels. Every node owns one injection
//! channel (node to router) and one ejection channel (router to node); all other channels join two
//! routers. Channels are numbered `0..channels()`: first the injection channels by node, then the
//! ejection channels by node, then the router-to-router channels. A route is the list of channels
//! that a message crosses; it is computed on demand and never stored.
//!
//! A message from a node to itself crosses no channel.

/// One body for the topology that a fabric is.
macro_rules! each {
    ($self:ident, $fabric:ident => $body:expr) => {
        match $self {
            Fabric::FatTree($fabric) => $body,
            Fabric::Grid($fabric) => $body,
            Fabric::Hypercube($fabric) => $body,
            Fabric::Crossbar($fabric) => $body,
            Fabric::Fly($fabric) => $body,
            Fabric::FlattenedButterfly($fabric) => $body,
            Fabric::Dragonfly($fabric) => $body,
        }
    };
}

mod crossbar;
mod dragonfly;
mod fat_tree;
mod flattened_butterfly;
mod fly;
mod grid;
mod hypercube;
mod ports;
mod spec;

pub use crossbar::Crossbar;
pub use dragonfly::Dragonfly;
pub use fat_tree::{FatTree, UpRouting};
pub use flattened_butterfly::FlattenedButterfly;
pub use fly::Fly;
pub use grid::{Grid, Leg, Ties};
pub use hypercube::{CubeRouting, Hypercube};
pub use spec::{Detour, FabricError, FlyRouting, TopologySpec};

/// Number of a channel.
pub type Channel = u32;
/// Number of a node.
pub type Node = u32;

/// Largest number of nodes a fabric may have.
pub const MAX_NODES: u64 = 1 << 24;

/// One interconnect with a static route for every pair of nodes.
#[derive(Debug, Clone)]
pub enum Fabric {
    FatTree(FatTree),
    Grid(Grid),
    Hypercube(Hypercube),
    Crossbar(Crossbar),
    Fly(Fly),
    FlattenedButterfly(FlattenedButterfly),
    Dragonfly(Dragonfly),
}

/// The two ends of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum End {
    Node(Node),
    Router(u32),
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
        match self {
            Fabric::Grid(grid) => grid.exists(channel),
            _ => channel < self.channels(),
        }
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
        match self {
            Fabric::FatTree(tree) => Some(vec![tree.k(); tree.levels()]),
            Fabric::Grid(grid) => Some(grid.sizes().to_vec()),
            Fabric::Fly(fly) => Some(vec![fly.k(); fly.stages()]),
            Fabric::FlattenedButterfly(butterfly) => Some(butterfly.digit_sizes()),
            Fabric::Dragonfly(dragonfly) => Some(dragonfly.digit_sizes()),
            Fabric::Hypercube(_) | Fabric::Crossbar(_) => None,
        }
    }

    /// Virtual-channel class per channel of a route, such that routes cannot deadlock.
    ///
    /// All fabrics need one class, except two. On a torus a message uses class 0 on each ring until
    /// it takes the wrap-around channel (the dateline) and class 1 from that channel on. On a
    /// dragonfly it uses class 1 on the local channel behind the global one.
    pub fn virtual_classes(&self, path: &[Channel]) -> Vec<u8> {
        match self {
            Fabric::Grid(grid) => grid.dateline_classes(path),
            Fabric::Dragonfly(dragonfly) => dragonfly.group_classes(path),
            _ => vec![0; path.len()],
        }
    }
}
