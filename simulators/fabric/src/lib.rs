//! Interconnect topologies and their static routes.
//!
//! A *fabric* is a set of nodes, routers and unidirectional channels. Every node owns one injection
//! channel (node to router) and one ejection channel (router to node); all other channels join two
//! routers. Channels are numbered `0..channels()`: first the injection channels by node, then the
//! ejection channels by node, then the router-to-router channels. A route is the list of channels
//! that a message crosses; it is computed on demand and never stored.
//!
//! A message from a node to itself crosses no channel.

/// Evaluates one expression for whichever topology a fabric has.
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
            Fabric::Graph($fabric) => $body,
        }
    };
}

mod about;
pub mod bits;
mod channels;
mod crossbar;
mod described;
mod dragonfly;
mod fat_tree;
mod flattened_butterfly;
mod fly;
mod graph;
mod grid;
mod grid_facts;
mod hash;
mod hypercube;
mod links;
mod needed_vcs;
mod ports;
mod rails;
pub mod routing;
mod sizes;
mod spec;
mod ties;
mod vc_classes;

pub use about::{
    About, Class, Default as KeyDefault, Key, KeyType, RingClasses, Routing, static_kinds,
    static_words,
};
pub use crossbar::Crossbar;
pub use described::Described;
pub use dragonfly::Dragonfly;
pub use fat_tree::{FatTree, UpRouting};
pub use flattened_butterfly::FlattenedButterfly;
pub use fly::Fly;
use graph::Ruled;
pub use graph::{FailedSpec, Flow, Graph, GraphRouting};
pub use grid::{Grid, Leg};
pub use hypercube::{CubeRouting, Hypercube};
pub use links::{ALIKE, Link, LinkSpec, Links, LinksError, LinksSpec, MOST_SLOWER};
pub use needed_vcs::{NeededVcs, TorusClasses};
pub use ports::PortNumbers;
pub use rails::{RailRule, Rails};
pub use spec::{Detour, FabricError, FlyRouting};
pub use ties::Ties;
pub use vc_classes::{MOST_CLASSES, VcClasses};

use serde::Deserialize;
use std::path::PathBuf;

/// Number of a channel.
pub type Channel = u32;
/// Number of a node.
pub type Node = u32;

/// The largest number of nodes of a fabric.
pub const MAX_NODES: u64 = 1 << 24;

/// The description of every topology; the catalogue prints them.
pub const TOPOLOGIES: [&About; 9] = [
    &fat_tree::ABOUT,
    &grid_facts::MESH,
    &grid_facts::TORUS,
    &hypercube::ABOUT,
    &crossbar::ABOUT,
    &fly::ABOUT,
    &flattened_butterfly::ABOUT,
    &dragonfly::ABOUT,
    &graph::ABOUT,
];

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
    Graph(Graph),
}

/// The two ends of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum End {
    Node(Node),
    Router(u32),
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::Node(node) => write!(f, "node {node}"),
            Self::Router(router) => write!(f, "router {router}"),
        }
    }
}

/// A topology as the spec of a point gives it.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TopologySpec {
    FatTree {
        k: u32,
        levels: u32,
        #[serde(default)]
        routing: UpRouting,
        nodes: Option<u64>,
    },
    Mesh {
        sizes: Vec<u32>,
        nodes: Option<u64>,
    },
    Torus {
        sizes: Vec<u32>,
        ties: Ties,
        nodes: Option<u64>,
    },
    Hypercube {
        dimensions: u32,
        #[serde(default)]
        routing: CubeRouting,
        nodes: Option<u64>,
    },
    Crossbar {
        nodes: u64,
    },
    Fly {
        k: u32,
        stages: u32,
        #[serde(default)]
        routing: FlyRouting,
        nodes: Option<u64>,
    },
    FlattenedButterfly {
        k: u32,
        dimensions: u32,
        /// Nodes per router; `k` if absent.
        concentration: Option<u32>,
        #[serde(default)]
        routing: Detour,
        nodes: Option<u64>,
    },
    Dragonfly {
        p: u32,
        /// `2 p` if absent.
        a: Option<u32>,
        /// `p` if absent.
        h: Option<u32>,
        #[serde(default)]
        routing: Detour,
        nodes: Option<u64>,
    },
    Graph {
        file: PathBuf,
        /// Of the file, in hexadecimal digits.
        sha256: String,
        #[serde(default)]
        routing: GraphRouting,
        root: Option<String>,
        #[serde(default)]
        failed: FailedSpec,
        #[serde(default)]
        rails: RailRule,
        nodes: Option<u64>,
    },
    /// Any of the others, with routes of a graph.
    #[serde(skip)]
    AsGraph {
        of: Box<TopologySpec>,
        routing: GraphRouting,
        failed: FailedSpec,
    },
}

impl TopologySpec {
    /// Builds the fabric for an engine that has routing functions of its own. If the spec's routing is not
    /// static, the fabric's routes are minimal ones.
    pub fn build_channels(&self, seed: u64) -> Result<Fabric, FabricError> {
        let (fabric, given) = match self {
            Self::FatTree { k, levels, routing, nodes } => {
                (Fabric::FatTree(FatTree::new(*k, *levels, *routing)?), *nodes)
            }
            Self::Mesh { sizes, nodes } => {
                (Fabric::Grid(Grid::new(sizes.clone(), None, seed)?), *nodes)
            }
            Self::Torus { sizes, ties, nodes } => {
                (Fabric::Grid(Grid::new(sizes.clone(), Some(*ties), seed)?), *nodes)
            }
            Self::Hypercube { dimensions, routing, nodes } => {
                (Fabric::Hypercube(Hypercube::new(*dimensions, *routing)?), *nodes)
            }
            Self::Crossbar { nodes } => (Fabric::Crossbar(Crossbar::new(*nodes)?), Some(*nodes)),
            Self::Fly { k, stages, nodes, .. } => (Fabric::Fly(Fly::new(*k, *stages)?), *nodes),
            Self::FlattenedButterfly { k, dimensions, concentration, routing, nodes } => {
                let c = concentration.unwrap_or(*k);
                let butterfly = FlattenedButterfly::new(*k, *dimensions, c, *routing)?;
                (Fabric::FlattenedButterfly(butterfly), *nodes)
            }
            Self::Dragonfly { p, a, h, routing, nodes } => {
                let (a, h) = (a.unwrap_or(p.saturating_mul(2)), h.unwrap_or(*p));
                (Fabric::Dragonfly(Dragonfly::new(*p, a, h, *routing)?), *nodes)
            }
            Self::Graph { file, sha256, routing, root, failed, rails, nodes } => {
                let (routing, rails) = (*routing, *rails);
                let ruled = Ruled { routing, root: root.as_deref(), failed, rails, seed };
                (Fabric::Graph(Graph::new((file, sha256), ruled)?), *nodes)
            }
            Self::AsGraph { of, routing, failed } => {
                let rails = RailRule::default();
                let ruled = Ruled { routing: *routing, root: None, failed, rails, seed };
                (Fabric::Graph(Graph::of(&of.build_channels(seed)?, ruled)?), None)
            }
        };
        fabric.with_nodes(given)
    }
}
