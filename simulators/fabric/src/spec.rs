//! The `topology` part of a point and its checks.

use crate::{Crossbar, Fabric, FatTree, Grid, Hypercube, Ties, UpRouting, MAX_NODES};
use serde::Deserialize;
use thiserror::Error;

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
        nodes: Option<u64>,
    },
    Crossbar {
        nodes: u64,
    },
}

#[derive(Debug, Error, PartialEq, Eq)]
pub enum FabricError {
    #[error("{key} is {value}, must be at least {least}")]
    TooSmall { key: &'static str, value: u64, least: u64 },
    #[error("topology has more than {MAX_NODES} nodes")]
    TooLarge,
    #[error("nodes is {given}, but the topology has {actual}")]
    NodesDiffer { given: u64, actual: u64 },
}

fn at_least(key: &'static str, value: u64, least: u64) -> Result<(), FabricError> {
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

fn grid_nodes(sizes: &[u32]) -> Result<u64, FabricError> {
    at_least("number of sizes", sizes.len() as u64, 1)?;
    for &size in sizes {
        at_least("sizes", u64::from(size), 1)?;
    }
    product(sizes.iter().copied())
}

impl TopologySpec {
    /// Builds the fabric; `seed` decides random ties.
    pub fn build(&self, seed: u64) -> Result<Fabric, FabricError> {
        let (fabric, given) = match self {
            Self::FatTree { k, levels, routing, nodes } => {
                at_least("k", u64::from(*k), 2)?;
                at_least("levels", u64::from(*levels), 1)?;
                product(std::iter::repeat_n(*k, (*levels).min(32) as usize))?;
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
            Self::Hypercube { dimensions, nodes } => {
                at_least("dimensions", u64::from(*dimensions), 1)?;
                product(std::iter::repeat_n(2, (*dimensions).min(32) as usize))?;
                (Fabric::Hypercube(Hypercube::new(*dimensions)), *nodes)
            }
            Self::Crossbar { nodes } => {
                at_least("nodes", *nodes, 1)?;
                if *nodes > MAX_NODES {
                    return Err(FabricError::TooLarge);
                }
                (Fabric::Crossbar(Crossbar::new(*nodes as u32)), Some(*nodes))
            }
        };
        let actual = u64::from(fabric.nodes());
        match given {
            Some(given) if given != actual => Err(FabricError::NodesDiffer { given, actual }),
            _ => Ok(fabric),
        }
    }
}
