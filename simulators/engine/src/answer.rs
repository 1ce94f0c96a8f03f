//! The result of a point's computation.

use crate::{Metric, Usage};

/// Metrics or why there are none, and what the computation used.
#[derive(Debug, Clone)]
pub struct Answer {
    pub result: Result<Vec<Metric>, Unanswered>,
    /// What a separate process used that computed the point. The run measures its own threads itself.
    pub elsewhere: Option<Usage>,
    /// What a reader of the results should know of this point, beside its metrics.
    pub notes: Vec<String>,
}

/// Why a point has no metrics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unanswered {
    /// Something is wrong with the point, or went wrong.
    Failed(String),
    /// Nothing is wrong, but there is nothing to compute.
    Skipped(String),
}

impl Answer {
    /// That of a point that has nothing to compute.
    pub fn skipped(reason: String) -> Self {
        Self { result: Err(Unanswered::Skipped(reason)), elsewhere: None, notes: vec![] }
    }
}

impl From<Result<Vec<Metric>, String>> for Answer {
    fn from(result: Result<Vec<Metric>, String>) -> Self {
        Self { result: result.map_err(Unanswered::Failed), elsewhere: None, notes: vec![] }
    }
}
