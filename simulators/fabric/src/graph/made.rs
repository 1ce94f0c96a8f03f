//! Where graphs come from: files of their own, and topologies that are routed as graphs.

use super::distances;
use super::file::{GraphFile, SCHEMA};
use super::shared::{Origin, Shared};
use super::{FailedSpec, Graph, GraphRouting};
use crate::{Fabric, FabricError, RailRule, Rails, TopologySpec};
use std::path::Path;
use std::sync::Arc;

/// What decides the routes of a graph, beside the graph.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ruled<'a> {
    pub routing: GraphRouting,
    /// The name of the switch at the top.
    pub root: Option<&'a str>,
    pub failed: &'a FailedSpec,
    pub rails: RailRule,
    pub seed: u64,
}

impl Graph {
    pub(crate) fn new((path, sha256): (&Path, &str), ruled: Ruled) -> Result<Self, FabricError> {
        let file = path.display().to_string();
        let read = GraphFile::read(path, sha256);
        made(read, ruled, file, None)
    }

    /// A topology with all its nodes, routers and channels, and other routes.
    pub(crate) fn of(fabric: &Fabric, ruled: Ruled) -> Result<Self, FabricError> {
        let file = GraphFile::of(fabric);
        let origin = Origin { about: fabric.about(), digit_sizes: fabric.digit_sizes() };
        made(Ok(file), ruled, format!("of a {}", fabric.about().kind), Some(origin))
    }
}

impl GraphFile {
    /// What a topology is as a file.
    fn of(fabric: &Fabric) -> Self {
        let names = |count: u32| (0..count).map(|number| number.to_string()).collect();
        Self {
            schema: SCHEMA,
            nodes: names(fabric.nodes()),
            switches: names(fabric.routers()),
            rails: None,
            channels: fabric.columns(),
            routes: None,
        }
    }
}

impl TopologySpec {
    /// The pair of nodes that no path joins, if what the seed draws to fail cuts the network. None of a
    /// topology that cannot be built, nor of failures that a spec names.
    pub fn cut_by_chance(&self, seed: u64) -> Option<String> {
        let (read, failed) = match self {
            Self::Graph { file, sha256, failed, .. } if failed.is_drawn() => {
                (GraphFile::read(file, sha256).ok()?, failed)
            }
            Self::AsGraph { of, failed, .. } if failed.is_drawn() => {
                (GraphFile::of(&of.build_channels(seed).ok()?), failed)
            }
            _ => return None,
        };
        let mut wires = read.wires().ok()?;
        wires.fail(failed, seed).ok()?;
        distances::longest(&wires, None).err()
    }
}

fn made(
    read: Result<GraphFile, String>,
    ruled: Ruled,
    file: String,
    origin: Option<Origin>,
) -> Result<Graph, FabricError> {
    let made = read.and_then(|read| {
        let mut wires = read.wires()?;
        wires.fail(ruled.failed, ruled.seed)?;
        let Ruled { routing, root, seed, .. } = ruled;
        let rails = read.rails.as_deref().and_then(|counts| Rails::new(counts, ruled.rails));
        let shared = Shared::new(wires, read.routes, routing, root, seed, file.clone())?;
        Ok(Shared { origin, rails, ..shared })
    });
    match made {
        Ok(shared) => Ok(Graph { shared: Arc::new(shared) }),
        Err(problem) => Err(FabricError::Graph { file, problem }),
    }
}
