//! Where graphs come from: files of their own, and topologies that are routed as graphs.

use super::file::{GraphFile, SCHEMA};
use super::shared::{Origin, Shared};
use super::{FailedSpec, Graph, GraphRouting};
use crate::{Fabric, FabricError};
use std::path::Path;
use std::sync::Arc;

/// What decides the routes of a graph, beside the graph.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ruled<'a> {
    pub routing: GraphRouting,
    /// The name of the switch at the top.
    pub root: Option<&'a str>,
    pub failed: &'a FailedSpec,
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
        let names = |count: u32| (0..count).map(|number| number.to_string()).collect();
        let file = GraphFile {
            schema: SCHEMA,
            nodes: names(fabric.nodes()),
            switches: names(fabric.routers()),
            channels: fabric.columns(),
            routes: None,
        };
        let origin = Origin { about: fabric.about(), digit_sizes: fabric.digit_sizes() };
        made(Ok(file), ruled, format!("of a {}", fabric.about().kind), Some(origin))
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
        let shared = Shared::new(wires, read.routes, routing, root, seed, file.clone())?;
        Ok(Shared { origin, ..shared })
    });
    match made {
        Ok(shared) => Ok(Graph { shared: Arc::new(shared) }),
        Err(problem) => Err(FabricError::Graph { file, problem }),
    }
}
