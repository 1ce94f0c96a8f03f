//! Channels to be looked at in the second phase of a time.
//!
//! Outputs of one router may want the same input, so their order matters; it changes from time to
//! time. The order of routers does not matter: large networks are gone through region by region,
//! since neighbours lie side by side in memory.

use super::order;
use super::state::Channel;
use crate::time::Time;

pub(super) struct Touched {
    /// Keys of the order, see [`order::key`].
    keys: Vec<u64>,
    /// Per router, at its first input port: the second phase in which an output was last touched.
    seen: Vec<u32>,
    /// Number of the next second phase.
    round: u32,
    /// Two outputs of one router are touched.
    crowded: bool,
    /// Outputs of one router may want the same input.
    per_port: bool,
    /// Large networks are gone through region by region, small ones are one region.
    region_mask: u32,
    nodes: u32,
}

/// From so many input ports on, outputs are gone through in the order of memory: caches do not hold
/// all of it.
const LARGE_INPUTS: usize = 1 << 16;

impl Touched {
    pub fn new(inputs: usize, nodes: u32, per_port: bool) -> Self {
        Self {
            keys: Vec::new(),
            seen: vec![0; inputs],
            round: 1,
            crowded: false,
            per_port,
            region_mask: if inputs >= LARGE_INPUTS { u32::MAX } else { 0 },
            nodes,
        }
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The channel is looked at in the second phase of this time.
    #[inline]
    pub fn mark(&mut self, channel: &mut Channel, number: u32, now: Time) {
        if channel.touched {
            return;
        }
        channel.touched = true;
        if number >= self.nodes {
            let seen = &mut self.seen[channel.first_input as usize];
            self.crowded |= *seen == self.round;
            *seen = self.round;
        }
        let region = channel.first_input & self.region_mask;
        self.keys.push(order::key(region, number, order::salt(now)));
    }

    /// Takes them out, in the order in which they are looked at; what is touched while they are goes
    /// to the next phase.
    #[inline]
    pub fn take(&mut self) -> Vec<u64> {
        let mut keys = std::mem::take(&mut self.keys);
        if self.per_port && (self.crowded || self.region_mask != 0) {
            keys.sort_unstable();
        }
        self.crowded = false;
        self.round = self.round.wrapping_add(1);
        keys
    }

    /// Gives the memory back, unless there is something to do in it again.
    #[inline]
    pub fn reuse(&mut self, mut keys: Vec<u64>) {
        if self.keys.is_empty() {
            keys.clear();
            self.keys = keys;
        }
    }
}
