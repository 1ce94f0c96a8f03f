//! Parameters of a router.

use serde::Deserialize;

/// What the blocks of a router's switch wait for before a packet may go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Switching {
    /// One flit of space in the next buffer.
    #[default]
    Wormhole,
    /// Space for the whole packet.
    VirtualCutThrough,
}

/// How requests of inputs for outputs are matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Allocator {
    /// Round-robin matching with slip (McKeown, 1999).
    #[default]
    Islip,
    /// Every input picks one request, then every output picks one input.
    SeparableInputFirst,
    /// Wavefront with a rotating first diagonal (Tamir and Chi, 1993).
    Wavefront,
    /// A largest matching; no hardware could do it, so for study.
    Maximum,
}

/// Whom an arbiter prefers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Arbiter {
    #[default]
    RoundRobin,
    /// The packet that was created first.
    Age,
}

/// All routers of a network are alike. Delays are in cycles.
#[derive(Debug, Clone, Deserialize)]
pub struct RouterOptions {
    /// Per port and, with the same number, of the injection and ejection channels.
    pub virtual_channels: u16,
    /// Capacity of the buffer of each virtual channel.
    pub vc_buffer_flits: u16,
    /// 0 is look-ahead routing: the way is computed one router ahead.
    pub routing_delay_cycles: u32,
    /// At least 1.
    pub vc_allocation_delay_cycles: u32,
    /// At least 1.
    pub switch_allocation_delay_cycles: u32,
    /// At least 1: from the switch's grant to the channel.
    pub switch_traversal_delay_cycles: u32,
    pub credit_delay_cycles: u32,
    /// Switch allocation beside virtual-channel allocation instead of after it.
    pub speculative: bool,
    pub switching: Switching,
    pub vc_allocator: Allocator,
    pub switch_allocator: Allocator,
    /// Of `islip`; at least 1.
    pub allocator_iterations: u32,
    pub arbiter: Arbiter,
    /// A virtual channel is free again only when the tail's credit is back.
    pub wait_for_tail_credit: bool,
    /// An input keeps its output until the tail has passed, or no flit or credit is there.
    pub hold_switch_for_packet: bool,
}

impl RouterOptions {
    /// From the grant of the switch for a flit until another flit may use its credit, behind a channel of
    /// so many cycles: the flit crosses switch and channel and waits for its own grant, and the credit
    /// comes back over the channel. A virtual channel with less space than that in flits carries less than
    /// a flit a cycle.
    pub fn credit_loop_cycles(&self, channel_cycles: u64) -> u64 {
        2 * channel_cycles
            + 2
            + u64::from(self.switch_traversal_delay_cycles)
            + u64::from(self.credit_delay_cycles)
    }

    /// Refuses what no router can be, with the key, what is allowed and why.
    pub fn check(&self) -> Result<(), String> {
        let at_least_one = [
            ("virtual_channels", u32::from(self.virtual_channels)),
            ("vc_buffer_flits", u32::from(self.vc_buffer_flits)),
            ("vc_allocation_delay_cycles", self.vc_allocation_delay_cycles),
            ("switch_allocation_delay_cycles", self.switch_allocation_delay_cycles),
            ("switch_traversal_delay_cycles", self.switch_traversal_delay_cycles),
            ("allocator_iterations", self.allocator_iterations),
        ];
        if let Some((key, _)) = at_least_one.iter().find(|(_, value)| *value == 0) {
            return Err(format!("{key} is 0; it must be at least 1"));
        }
        if self.arbiter == Arbiter::Age {
            let islip = |allocator| allocator == Allocator::Islip;
            for (key, allocator) in
                [("vc_allocator", self.vc_allocator), ("switch_allocator", self.switch_allocator)]
            {
                if islip(allocator) {
                    return Err(format!(
                        "arbiter age does not go with {key} islip, which carries its own \
                         round-robin pointers; take separable_input_first, wavefront or maximum"
                    ));
                }
            }
        }
        Ok(())
    }
}
