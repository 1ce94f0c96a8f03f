//! The shard file: points with their resolved input.

use crate::{EngineError, Limits};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;

/// One point: its names, its limits, and its spec as the engine reads it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Point {
    pub point_id: String,
    pub digest: String,
    #[serde(default)]
    pub limits: Limits,
    #[serde(flatten)]
    pub spec: serde_json::Map<String, Value>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Shard {
    pub schema: u32,
    pub engine: String,
    #[serde(default)]
    pub shard: Value,
    /// Limits of every point.
    #[serde(default)]
    pub limits: Option<Limits>,
    pub points: Vec<Point>,
}

impl Shard {
    pub fn read(path: &Path, engine: &str) -> Result<Self, EngineError> {
        let text = std::fs::read(path).map_err(EngineError::io(path))?;
        let invalid = |reason| EngineError::Shard { path: path.to_path_buf(), reason };
        let mut shard: Shard = serde_json::from_slice(&text).map_err(|e| invalid(e.to_string()))?;
        if shard.schema != 1 {
            return Err(invalid(format!("schema is {}, this engine reads 1", shard.schema)));
        }
        if shard.engine != engine {
            return Err(invalid(format!("engine is {}, this is {engine}", shard.engine)));
        }
        if let Some(limits) = shard.limits {
            shard.points.iter_mut().for_each(|point| point.limits = limits);
        }
        Ok(shard)
    }
}
