//! What a point's computation gives back.

use crate::{Metric, Usage};

/// Metrics or the reason of a failure, and what was used.
#[derive(Debug, Clone)]
pub struct Answer {
    pub result: Result<Vec<Metric>, String>,
    /// Of a process of its own that computed the point; the calling thread's use is known anyway.
    pub elsewhere: Option<Usage>,
}

impl From<Result<Vec<Metric>, String>> for Answer {
    fn from(result: Result<Vec<Metric>, String>) -> Self {
        Self { result, elsewhere: None }
    }
}
