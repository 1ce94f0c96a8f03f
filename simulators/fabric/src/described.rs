//! The `topology` part of a point's spec.

use crate::{FailedSpec, GraphRouting, LinksSpec, TopologySpec};
use serde::Deserialize;
use serde_json::Value;

/// The graph, and the links of it that differ.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Value")]
pub struct Described {
    pub links: LinksSpec,
    pub topology: TopologySpec,
}

impl TryFrom<Value> for Described {
    type Error = serde_json::Error;

    /// A topology whose routing is one of graphs has the routes of the graph that it is.
    fn try_from(mut spec: Value) -> Result<Self, Self::Error> {
        let links = LinksSpec::deserialize(&spec)?;
        if spec["kind"] == "graph" {
            return Ok(Self { links, topology: TopologySpec::deserialize(spec)? });
        }
        let routing = spec.get("routing").and_then(|word| GraphRouting::deserialize(word).ok());
        let failed = spec.get("failed").map(FailedSpec::deserialize).transpose()?;
        let topology = match (routing, failed) {
            (None, None) => TopologySpec::deserialize(spec)?,
            (None, Some(_)) => {
                let words = "topology.failed needs a routing of graphs, such as shortest";
                return Err(serde::de::Error::custom(words));
            }
            (Some(routing), failed) => {
                if let Some(object) = spec.as_object_mut() {
                    object.remove("routing");
                }
                let of = Box::new(TopologySpec::deserialize(spec)?);
                TopologySpec::AsGraph { of, routing, failed: failed.unwrap_or_default() }
            }
        };
        Ok(Self { links, topology })
    }
}
