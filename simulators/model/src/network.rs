//! The `network` part of a point.

use engine::MessageCosts;
use serde::Deserialize;

/// Links, and what a calibration has measured on them.
#[derive(Debug, Clone, Deserialize)]
pub struct Network {
    #[serde(flatten)]
    pub links: engine::Network,
    pub costs: Option<Box<MessageCosts>>,
}

impl Network {
    /// Checks the numbers.
    pub fn check(&self) -> Result<(), String> {
        self.links.check()?;
        self.costs.as_ref().map_or(Ok(()), |costs| costs.check())
    }
}
