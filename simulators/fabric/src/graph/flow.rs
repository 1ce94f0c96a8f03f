//! What decides a route beside the network: both nodes, and the message.

use crate::Node;

/// Whose packets take a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flow {
    pub src: Node,
    pub dst: Node,
    /// Number of the message among those of its source. It matters to `ecmp` alone.
    pub message: u32,
}

impl Flow {
    /// The first message from one node to another.
    pub fn first(src: Node, dst: Node) -> Self {
        Self { src, dst, message: 0 }
    }
}
