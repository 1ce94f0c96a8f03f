//! The part of a point's `options` that this engine reads; `programs` and `mpi` read the others.

use crate::sharing::Model;
use engine::{AskedTables, Point};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct Options {
    pub model: Model,
    #[serde(default)]
    pub tables: AskedTables,
}

impl Options {
    /// Those of a point.
    ///
    /// # Errors
    /// Says which option cannot be.
    pub fn of(point: &Point) -> Result<Self, String> {
        let options = point.spec.get("options").cloned().unwrap_or_default();
        Self::deserialize(options).map_err(|e| format!("options: {e}"))
    }
}
