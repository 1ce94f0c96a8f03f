//! What calls cost beside the network, and which protocol a message uses.

use super::costs::Costs;
use crate::time::{self, Time};

/// Software of the ranks: overheads, copies and the limits between protocols.
///
/// A message of up to `eager_limit_bytes` is *eager*: the sender copies it and goes on, and the receiver
/// copies it when it has matched. A longer message uses *rendezvous*: the sender asks with a control
/// packet (RTS), the receiver answers with another one (CTS) when a receive has matched, and then the
/// data follow. Both sides copy them, unless there are at least `zero_copy_limit_bytes`.
///
/// Control packets are answered without help of the program (asynchronous progress). A rank makes one
/// copy of a rendezvous or of a received message at a time.
#[derive(Debug, Clone, PartialEq)]
pub struct Protocol {
    /// Per message, at the start of the call that sends it.
    pub send_overhead: Time,
    /// Per message, at the end of the call that completes its receive.
    pub receive_overhead: Time,
    /// From the call of a put or get to another node until its DMA or its request may begin. The call
    /// returns at once.
    pub put: Time,
    /// Copies; infinite for none.
    pub memory_bytes_per_s: f64,
    /// What a control packet holds beside its header.
    pub control_bytes: u64,
    pub eager_limit_bytes: u64,
    /// `u64::MAX` for never.
    pub zero_copy_limit_bytes: u64,
    /// Whether buffers are copied; otherwise only sizes count, and receivers read zeros.
    pub delivered: bool,
    /// What messages between nodes and inside a node cost by their size, in place of overheads and
    /// copies.
    pub between_nodes: Option<Box<Costs>>,
    pub inside_node: Option<Box<Costs>>,
}

impl Default for Protocol {
    /// Nothing costs anything.
    fn default() -> Self {
        Self {
            send_overhead: 0,
            receive_overhead: 0,
            put: 0,
            memory_bytes_per_s: f64::INFINITY,
            control_bytes: 0,
            eager_limit_bytes: 16 << 10,
            zero_copy_limit_bytes: u64::MAX,
            delivered: true,
            between_nodes: None,
            inside_node: None,
        }
    }
}

impl Protocol {
    /// Costs by size of messages inside a node or between nodes.
    #[inline]
    pub fn costs(&self, local: bool) -> Option<&Costs> {
        if local { self.inside_node.as_deref() } else { self.between_nodes.as_deref() }
    }

    /// A copy that a program makes within the memory of a rank.
    pub fn copying(&self, bytes: u64) -> Time {
        let costs = self.costs(true).or_else(|| self.costs(false));
        costs.map_or(0, |costs| costs.copying(bytes))
    }

    /// Whether messages have costs by size.
    #[inline]
    pub fn has_costs(&self) -> bool {
        self.between_nodes.is_some() || self.inside_node.is_some()
    }

    /// The largest eager message.
    #[inline]
    pub fn eager_limit(&self, local: bool) -> u64 {
        let found = self.costs(local).and_then(Costs::eager_limit_bytes);
        found.unwrap_or(self.eager_limit_bytes)
    }

    /// Time of one copy.
    #[inline]
    pub fn copy(&self, bytes: u64) -> Time {
        if self.memory_bytes_per_s.is_infinite() {
            return 0;
        }
        time::of_bytes(bytes, self.memory_bytes_per_s)
    }

    /// Time of each copy of a rendezvous.
    #[inline]
    pub fn rendezvous_copy(&self, bytes: u64) -> Time {
        if bytes >= self.zero_copy_limit_bytes {
            return 0;
        }
        self.copy(bytes)
    }
}
