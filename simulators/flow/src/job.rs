//! What a simulation of a list of messages is given, and what it gives.

use crate::sharing::Model;
use fabric::{Fabric, Links};
use programs::Parameters;
use workload::{Messages, Outstanding};

/// Everything that decides a simulation.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    pub fabric: &'a Fabric,
    /// Where they differ, also in latency.
    pub links: &'a Links,
    pub messages: &'a Messages,
    pub model: Model,
    pub bandwidth_bytes_per_s: f64,
    /// Everything else that the network says, if it says more than its links and latencies.
    pub parts: Option<&'a Parameters>,
    /// Start-up delay of a message before its bytes flow.
    pub latency_s: f64,
    /// Further start-up delay per router-to-router channel of the route.
    pub hop_latency_s: f64,
    pub outstanding: Outstanding,
    /// A node's largest rate as a fraction of the channel bandwidth.
    pub injection_rate: f64,
    /// End when the first node has sent all its messages.
    pub until_first_node: bool,
    /// Measure how long each channel carries at least one flow.
    pub busy_times: bool,
}

/// What happened; times of messages that did not finish are NaN.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    pub issue_s: Vec<f64>,
    pub finish_s: Vec<f64>,
    /// When the simulation ended.
    pub end_s: f64,
    /// Mean over sending nodes of achieved by largest rate, until the first node has finished.
    pub accepted_rate: Option<f64>,
    pub channel_bytes: Vec<f64>,
    pub channel_busy_s: Vec<f64>,
}
