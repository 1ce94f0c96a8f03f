//! The `topology` part of a point and its checks.

use crate::{
    Crossbar, CubeRouting, Dragonfly, Fabric, FatTree, FlattenedButterfly, Fly, Grid, Hypercube,
    MAX_NODES, Ties, UpRouting,
};
use serde::Deserialize;
use thiserror::Error;

/// The one way through a fly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum FlyRouting {
    #[default]
    DestinationTag,
}

/// How a packet spreads over a flattened butterfly or a dragonfly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Detour {
    #[default]
    Minimal,
    /// By way of a random router or group (Valiant and Brebner, 1981); no static route.
    Valiant,
    /// The one of both that promises less delay, judged at the source (Singh, 2005); no static route.
    Ugal,
}

/// A topology as a point names it.
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
        #[serde(default)]
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
}

#[derive(Debug, Error, PartialEq, Eq)]
pub enum FabricError {
    #[error("{key} is {value}, must be at least {least}")]
    TooSmall { key: &'static str, value: u64, least: u64 },
    #[error("topology has more than {MAX_NODES} nodes")]
    TooLarge,
    #[error("topology has more than 2^32 channels")]
    TooManyChannels,
    #[error("nodes is {given}, but the topology has {actual}")]
    NodesDiffer { given: u64, actual: u64 },
    #[error("routing {routing} has no static route; allowed here: {allowed}")]
    NoStaticRoute { routing: &'static str, allowed: &'static str },
}

fn at_least(key: &'static str, value: impl Into<u64>, least: u64) -> Result<(), FabricError> {
    let value = value.into();
    if value < least {
        return Err(FabricError::TooSmall { key, value, least });
    }
    Ok(())
}

/// Product of the factors, if the fabric is not too large.
fn product(factors: impl Iterator<Item = u32>) -> Result<u64, FabricError> {
    let mut nodes = 1_u64;
    for factor in factors {
        nodes = nodes
            .checked_mul(u64::from(factor))
            .filter(|&n| n <= MAX_NODES)
            .ok_or(FabricError::TooLarge)?;
    }
    Ok(nodes)
}

fn power(base: u32, exponent: u32) -> Result<u64, FabricError> {
    product(std::iter::repeat_n(base, exponent.min(32) as usize))
}

fn grid_nodes(sizes: &[u32]) -> Result<u64, FabricError> {
    at_least("number of sizes", sizes.len() as u64, 1)?;
    for &size in sizes {
        at_least("sizes", size, 1)?;
    }
    product(sizes.iter().copied())
}

/// Checks that all channels can be numbered.
fn channels(nodes: u64, routers: u64, per_router: u64) -> Result<(), FabricError> {
    if 2 * nodes + routers * per_router > u64::from(u32::MAX) {
        return Err(FabricError::TooManyChannels);
    }
    Ok(())
}

fn flattened_butterfly(k: u32, dimensions: u32, concentration: u32) -> Result<(), FabricError> {
    at_least("k", k, 2)?;
    at_least("dimensions", dimensions, 1)?;
    at_least("concentration", concentration, 1)?;
    let routers = power(k, dimensions)?;
    let nodes = product([routers as u32, concentration].into_iter())?;
    channels(nodes, routers, u64::from(dimensions) * u64::from(k - 1))
}

fn dragonfly(p: u32, a: u32, h: u32) -> Result<(), FabricError> {
    for (key, value) in [("p", p), ("a", a), ("h", h)] {
        at_least(key, value, 1)?;
    }
    let groups = product([a, h].into_iter())? as u32 + 1;
    let nodes = product([p, a, groups].into_iter())?;
    channels(nodes, nodes / u64::from(p), u64::from(a) + u64::from(h))
}

impl TopologySpec {
    /// Builds the fabric with the static routes that the spec names; `seed` decides random ties.
    pub fn build(&self, seed: u64) -> Result<Fabric, FabricError> {
        let (routing, allowed) = match self {
            Self::FatTree { routing: UpRouting::Nca, .. } => ("nca", "dmodk, smodk"),
            Self::FatTree { routing: UpRouting::Anca, .. } => ("anca", "dmodk, smodk"),
            Self::Hypercube { routing: CubeRouting::MinimalAdaptive, .. } => {
                ("minimal_adaptive", "e_cube")
            }
            Self::FlattenedButterfly { routing, .. } | Self::Dragonfly { routing, .. } => {
                match routing {
                    Detour::Minimal => return self.build_channels(seed),
                    Detour::Valiant => ("valiant", "minimal"),
                    Detour::Ugal => ("ugal", "minimal"),
                }
            }
            _ => return self.build_channels(seed),
        };
        Err(FabricError::NoStaticRoute { routing, allowed })
    }

    /// Builds the fabric for an engine that routes by itself. Where the spec's routing has no static
    /// route, that of the result is a minimal one.
    pub fn build_channels(&self, seed: u64) -> Result<Fabric, FabricError> {
        let (fabric, given) = match self {
            Self::FatTree { k, levels, routing, nodes } => {
                at_least("k", *k, 2)?;
                at_least("levels", *levels, 1)?;
                power(*k, *levels)?;
                (Fabric::FatTree(FatTree::new(*k, *levels, *routing)), *nodes)
            }
            Self::Mesh { sizes, nodes } => {
                grid_nodes(sizes)?;
                (Fabric::Grid(Grid::new(sizes.clone(), None, seed)), *nodes)
            }
            Self::Torus { sizes, ties, nodes } => {
                grid_nodes(sizes)?;
                (Fabric::Grid(Grid::new(sizes.clone(), Some(*ties), seed)), *nodes)
            }
            Self::Hypercube { dimensions, routing, nodes } => {
                at_least("dimensions", *dimensions, 1)?;
                power(2, *dimensions)?;
                (Fabric::Hypercube(Hypercube::new(*dimensions, *routing)), *nodes)
            }
            Self::Crossbar { nodes } => {
                at_least("nodes", *nodes, 1)?;
                if *nodes > MAX_NODES {
                    return Err(FabricError::TooLarge);
                }
                (Fabric::Crossbar(Crossbar::new(*nodes as u32)), Some(*nodes))
            }
            Self::Fly { k, stages, nodes, .. } => {
                at_least("k", *k, 2)?;
                at_least("stages", *stages, 1)?;
                power(*k, *stages)?;
                (Fabric::Fly(Fly::new(*k, *stages)), *nodes)
            }
            Self::FlattenedButterfly { k, dimensions, concentration, routing, nodes } => {
                let c = concentration.unwrap_or(*k);
                flattened_butterfly(*k, *dimensions, c)?;
                let butterfly = FlattenedButterfly::new(*k, *dimensions, c, *routing);
                (Fabric::FlattenedButterfly(butterfly), *nodes)
            }
            Self::Dragonfly { p, a, h, routing, nodes } => {
                let (a, h) = (a.unwrap_or(p.saturating_mul(2)), h.unwrap_or(*p));
                dragonfly(*p, a, h)?;
                (Fabric::Dragonfly(Dragonfly::new(*p, a, h, *routing)), *nodes)
            }
        };
        let actual = u64::from(fabric.nodes());
        match given {
            Some(given) if given != actual => Err(FabricError::NodesDiffer { given, actual }),
            _ => Ok(fabric),
        }
    }
}
