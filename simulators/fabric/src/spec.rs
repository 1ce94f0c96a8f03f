//! Words and errors of the `topology` part of a point's spec.

use crate::{Fabric, MAX_NODES, TopologySpec};
use serde::Deserialize;
use thiserror::Error;

/// The only routing of a fly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum FlyRouting {
    #[default]
    DestinationTag,
}

/// How packets spread over a flattened butterfly or a dragonfly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Detour {
    #[default]
    Minimal,
    /// By way of a random router or group (Valiant and Brebner, 1981); not static.
    Valiant,
    /// Whichever of both promises less delay, as the source sees it (Singh, 2005); not static.
    Ugal,
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
    NoStaticRoute { routing: &'static str, allowed: String },
    #[error("the graph {file}: {problem}")]
    Graph { file: String, problem: String },
}

impl TopologySpec {
    /// Builds the fabric with the static routes that the spec names; `seed` decides random ties.
    pub fn build(&self, seed: u64) -> Result<Fabric, FabricError> {
        let fabric = self.build_channels(seed)?;
        fabric.with_static_routes()?;
        Ok(fabric)
    }
}

impl Fabric {
    /// Refuses a routing that source and destination alone do not decide.
    pub(crate) fn with_static_routes(&self) -> Result<(), FabricError> {
        let routing = self.routing();
        if routing.is_static {
            return Ok(());
        }
        let allowed: Vec<&str> = self.about().static_routings().collect();
        Err(FabricError::NoStaticRoute { routing: routing.name, allowed: allowed.join(", ") })
    }

    /// Checks the number of nodes, which are hosts to users, if the spec gives one.
    pub(crate) fn with_nodes(self, given: Option<u64>) -> Result<Self, FabricError> {
        let actual = u64::from(self.hosts());
        match given {
            Some(given) if given != actual => Err(FabricError::NodesDiffer { given, actual }),
            _ => Ok(self),
        }
    }
}
