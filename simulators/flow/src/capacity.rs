//! What channels can carry, in parts of the network's bandwidth.

use fabric::{Channel, Links};

/// Channels that are all alike, or not. A load is how many times slower a flow is than one alone on a
/// channel with the network's bandwidth.
pub trait Capacity {
    type Load: Copy + PartialOrd;

    /// Of a flow that has no load yet, less than any other.
    const NEW: Self::Load;
    /// Of a flow that crosses no channel.
    const ALONE: Self::Load;

    /// Of a flow on a channel with so many of them.
    fn load(&self, channel: Channel, flows: u32) -> Self::Load;
    fn factor(load: Self::Load) -> f64;
    /// The bandwidth of a channel.
    fn of(&self, channel: Channel) -> f64;
}

/// All channels have the network's bandwidth: a load is the number of flows.
pub struct Alike;

/// Channels with bandwidths of their own.
pub struct Mixed {
    /// Per channel: the network's bandwidth over its own.
    slower: Vec<f64>,
}

impl Mixed {
    pub fn new(links: &Links, channels: usize) -> Self {
        Self { slower: (0..channels).map(|channel| links.slower(channel as Channel)).collect() }
    }
}

impl Capacity for Alike {
    type Load = u32;

    const NEW: u32 = 0;
    const ALONE: u32 = 1;

    #[inline]
    fn load(&self, _: Channel, flows: u32) -> u32 {
        flows
    }

    #[inline]
    fn factor(load: u32) -> f64 {
        f64::from(load)
    }

    #[inline]
    fn of(&self, _: Channel) -> f64 {
        1.0
    }
}

impl Capacity for Mixed {
    type Load = f64;

    const NEW: f64 = 0.0;
    const ALONE: f64 = 1.0;

    #[inline]
    fn load(&self, channel: Channel, flows: u32) -> f64 {
        f64::from(flows) * self.slower[channel as usize]
    }

    #[inline]
    fn factor(load: f64) -> f64 {
        load
    }

    #[inline]
    fn of(&self, channel: Channel) -> f64 {
        1.0 / self.slower[channel as usize]
    }
}
