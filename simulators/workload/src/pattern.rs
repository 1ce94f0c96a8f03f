//! Traffic patterns: the destination of a node's j-th message.
//!
//! Bit patterns follow Dally and Towles, "Principles and Practices of Interconnection Networks",
//! section 3.2. Digit patterns (`tornado`, `neighbor`) shift every digit of the node number.

use crate::{Destinations, Outstanding, Random};
use fabric::{Fabric, Node};
use serde::Deserialize;
use thiserror::Error;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// A random node, drawn per message; the sender itself only with `include_self`.
    Uniform,
    /// The halves of the node number's bits swapped.
    Transpose,
    /// Every digit plus `floor(k/2) - 1`, modulo its radix `k`.
    Tornado,
    /// Every digit plus `ceil(k/2) - 1`, modulo its radix `k`.
    TornadoCeil,
    /// Every bit inverted.
    BitComplement,
    /// The bits in reverse order.
    BitReverse,
    /// The bits rotated left by one.
    Shuffle,
    /// Every digit plus 1, modulo its radix.
    Neighbor,
    /// With probability `hotspot_fraction` one of `hotspot_nodes`, else as `uniform`.
    Hotspot,
    /// One random permutation for all messages; it may map nodes to themselves.
    RandomPermutation,
    /// The other nodes in the order s+1, s+2, …; one message each and per round.
    AllToAll,
    /// Messages from a CSV file.
    File,
}

impl Pattern {
    pub const NAMES: [&'static str; 12] = [
        "uniform",
        "transpose",
        "tornado",
        "tornado_ceil",
        "bit_complement",
        "bit_reverse",
        "shuffle",
        "neighbor",
        "hotspot",
        "random_permutation",
        "all_to_all",
        "file",
    ];
}

#[derive(Debug, Error, PartialEq)]
pub enum PatternError {
    #[error("pattern transpose needs an even power of two nodes (4, 16, 64, …), not {0}")]
    EvenPowerOfTwo(u32),
    #[error("pattern {0} needs a power of two nodes, not {1}")]
    PowerOfTwo(&'static str, u32),
    #[error("pattern {0} needs node numbers with digits, which hypercube and crossbar do not have")]
    Digits(&'static str),
    #[error("pattern {0} needs at least 2 nodes")]
    TwoNodes(&'static str),
    #[error("pattern hotspot needs hotspot_nodes within 0..{0} and hotspot_fraction within 0..1")]
    Hotspot(u32),
}

/// What the patterns `uniform` and `hotspot` need besides the fabric.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    pub include_self: bool,
    pub hotspot_nodes: Vec<Node>,
    pub hotspot_fraction: f64,
}

impl Pattern {
    /// Messages that one node sends for `per_node`.
    pub fn messages_per_node(self, nodes: u32, per_node: u32) -> u64 {
        match self {
            Pattern::AllToAll => u64::from(per_node) * u64::from(nodes.saturating_sub(1)),
            _ => u64::from(per_node),
        }
    }

    /// Destinations of all messages, node by node.
    pub fn destinations(
        self,
        fabric: &Fabric,
        per_node: u32,
        choice: &Choice,
        seed: u64,
    ) -> Result<Vec<Node>, PatternError> {
        let mut random = Random::new(seed);
        let mut destinations = Destinations::new(self, fabric, choice, &mut random)?;
        let each = self.messages_per_node(fabric.nodes(), per_node);
        let mut dst = Vec::with_capacity(each as usize * fabric.nodes() as usize);
        for src in 0..fabric.nodes() {
            dst.extend((0..each).map(|_| destinations.draw(src, &mut random)));
        }
        Ok(dst)
    }
}

impl Outstanding {
    /// Messages that a node with `messages` to send has under way at most.
    pub fn limit(self, messages: u32) -> u32 {
        match self {
            Outstanding::All => messages,
            Outstanding::AtMost(limit) => messages.min(limit),
        }
    }
}
