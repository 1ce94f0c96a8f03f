//! The part of a point's `options` that this engine reads; `programs` and `mpi` read the others.

use crate::sharing::Model;
use engine::Point;
use programs::Table;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct Options {
    pub model: Model,
    #[serde(default)]
    pub tables: Vec<Table>,
}

/// Tables that a list of messages may leave.
pub const OF_LISTS: [Table; 2] = [Table::Messages, Table::Links];

impl Options {
    /// Those of a point.
    ///
    /// # Errors
    /// Says which option cannot be.
    pub fn of(point: &Point) -> Result<Self, String> {
        let options = point.spec.get("options").cloned().unwrap_or_default();
        Self::deserialize(options).map_err(|e| format!("options: {e}"))
    }

    /// Refuses tables that `allowed` lacks; `of` says to whom those belong.
    pub fn check_tables(&self, allowed: &[Table], of: &str) -> Result<(), String> {
        match self.tables.iter().find(|table| !allowed.contains(table)) {
            None => Ok(()),
            Some(table) => {
                let name = engine::words::<Table>()[*table as usize];
                Err(format!("the flow engine has no table {name} of {of}"))
            }
        }
    }
}
