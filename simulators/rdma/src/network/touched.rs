//! Channels to be looked at in the second phase of a time.
//!
//! Outputs of one router may want the same input, so their order matters; it changes from time to
//! time. The order of routers does not matter: large networks are gone through region by region,
//! since neighbours lie side by side in memory.

use super::order;
use super::state::Channel;
use mpi::time::Time;

pub(super) struct Touched {
    channels: Vec<u32>,
    /// Memory for the keys of their order.
    keys: Vec<u64>,
    /// Per router: the second phase in which an output was last touched.
    seen: Vec<u32>,
    /// Number of the next second phase.
    round: u32,
    /// Two outputs of one router are touched.
    crowded: bool,
    /// Outputs of one router may want the same input.
    per_port: bool,
    /// Gone through region by region.
    is_large: bool,
    nodes: u32,
}

/// From so many input ports on, outputs are gone through in the order of memory: caches do not hold
/// all of it.
const LARGE_INPUTS: usize = 1 << 16;

impl Touched {
    pub fn new(routers: usize, inputs: usize, nodes: u32, per_port: bool) -> Self {
        Self {
            channels: Vec::new(),
            keys: Vec::new(),
            seen: vec![0; routers],
            round: 1,
            crowded: false,
            per_port,
            is_large: inputs >= LARGE_INPUTS,
            nodes,
        }
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.channels.is_empty()
    }

    /// The channel is looked at in the second phase of this time.
    #[inline]
    pub fn mark(&mut self, channel: &mut Channel, number: u32) {
        if channel.touched {
            return;
        }
        channel.touched = true;
        if number >= self.nodes {
            let seen = &mut self.seen[channel.router as usize];
            self.crowded |= *seen == self.round;
            *seen = self.round;
        }
        self.channels.push(number);
    }

    /// Takes them out, in the order in which they are looked at; what is touched while they are goes
    /// to the next phase.
    #[inline]
    pub fn take(&mut self, all: &[Channel], now: Time) -> Vec<u32> {
        let mut channels = std::mem::take(&mut self.channels);
        if self.per_port && (self.crowded || self.is_large) {
            self.sort(&mut channels, all, now);
        }
        self.crowded = false;
        self.round = self.round.wrapping_add(1);
        channels
    }

    fn sort(&mut self, channels: &mut [u32], all: &[Channel], now: Time) {
        let salt = order::salt(now);
        self.keys.clear();
        self.keys.extend(channels.iter().map(|&number| {
            let region = if self.is_large { all[number as usize].router } else { 0 };
            order::key(region, number, salt)
        }));
        self.keys.sort_unstable();
        for (channel, &key) in channels.iter_mut().zip(&self.keys) {
            *channel = order::channel(key, salt);
        }
    }

    /// Gives the memory back, unless there is something to do in it again.
    #[inline]
    pub fn reuse(&mut self, mut channels: Vec<u32>) {
        if self.channels.is_empty() {
            channels.clear();
            self.channels = channels;
        }
    }
}
