//! What the network notes about a transfer.

use super::state::NONE;

/// Of a transfer that has not arrived.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OnNetwork {
    pub unsent_packets: u64,
    pub missing_packets: u64,
    /// Of the packets that are here, that of the last one to leave: how many leave after it.
    pub fewest_later: u32,
    /// Behind it in a queue of its NIC.
    pub next: u32,
    /// Number of its route.
    pub route: u32,
}

impl OnNetwork {
    pub fn new(packets: u64) -> Self {
        Self {
            unsent_packets: packets,
            missing_packets: packets,
            fewest_later: u32::MAX,
            next: NONE,
            route: NONE,
        }
    }
}
