//! The result of a point's computation.

use crate::{Metric, Usage};

/// Metrics or the reason of a failure, and what the computation used.
#[derive(Debug, Clone)]
pub struct Answer {
    pub result: Result<Vec<Metric>, String>,
    /// What a separate process used that computed the point. The run measures its own threads itself.
    pub elsewhere: Option<Usage>,
}

impl From<Result<Vec<Metric>, String>> for Answer {
    fn from(result: Result<Vec<Metric>, String>) -> Self {
        Self { result, elsewhere: None }
    }
}
