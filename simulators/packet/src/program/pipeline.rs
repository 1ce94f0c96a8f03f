//! Routers and channels in whole cycles: as the network gives them, else as the options.

use crate::router_options::RouterOptions;
use crate::wiring::ChannelLatencies;
use programs::Parameters;
use programs::parameters::{Cables, Router};

/// Delays of the routers and channels that a program's messages cross.
///
/// What the network gives in seconds is rounded so that sums are right, since those are what a
/// message waits for: a router with the channel behind it is rounded as one, and the channels of the
/// nodes take up what is left.
#[derive(Debug, Clone)]
pub struct Pipeline {
    pub router: RouterOptions,
    pub channels: ChannelLatencies,
}

/// The nearest number of whole cycles, at least one.
fn whole(time_s: f64, cycle_s: f64) -> u32 {
    nearest(time_s, cycle_s).clamp(1, i64::from(u32::MAX)) as u32
}

fn nearest(time_s: f64, cycle_s: f64) -> i64 {
    (time_s / cycle_s).round() as i64
}

impl Pipeline {
    /// What the options say of routers and channels, with what the sections `router` and `cables` of
    /// the network say instead.
    pub fn new(
        router: RouterOptions,
        channels: ChannelLatencies,
        parameters: &Parameters,
        cycle_s: f64,
    ) -> Self {
        let mut pipeline = Self { router, channels };
        if let Some(cables) = &parameters.cables {
            pipeline.lay(cables, cycle_s);
        }
        if let Some(router) = &parameters.router {
            let cable_s = parameters.cables.map_or(0.0, |cables| cables.cable_s);
            let given = parameters.cables.is_some();
            pipeline.build(router, given.then_some(cable_s), cycle_s);
        }
        pipeline
    }

    fn lay(&mut self, cables: &Cables, cycle_s: f64) {
        let injection_s = cables.injection_s.unwrap_or(cables.cable_s);
        let channel = whole(cables.cable_s, cycle_s);
        let injection = whole(injection_s, cycle_s);
        // Of R routers and R - 1 cables between them, those of the nodes are one cable more.
        let both = nearest(injection_s, cycle_s) + i64::from(channel);
        self.channels.router_cycles = channel;
        self.channels.injection_cycles = injection;
        self.channels.ejection_cycles = (both - i64::from(injection)).max(1) as u32;
    }

    /// Of a packet, so many cycles pass in routing and virtual-channel allocation; of a flit, one in
    /// switch allocation, since a router of several would send no flit in the others. The crossing of
    /// the switch takes what is left. A router that is too quick for four stages looks ahead.
    fn build(&mut self, given: &Router, cable_s: Option<f64>, cycle_s: f64) {
        let head_s = given.routing_s
            + given.vc_allocation_s
            + given.switch_allocation_s
            + given.switch_traversal_s
            + given.switch_s;
        let cable = cable_s.map_or(0, |_| i64::from(self.channels.router_cycles));
        let total = nearest(head_s + cable_s.unwrap_or(0.0), cycle_s) - cable;
        let stage = |time_s| whole(time_s, cycle_s);
        let router = &mut self.router;
        router.routing_delay_cycles = if total < 4 { 0 } else { stage(given.routing_s) };
        router.vc_allocation_delay_cycles = stage(given.vc_allocation_s);
        router.switch_allocation_delay_cycles = 1;
        let switch = u32::from(!router.speculative);
        let allocation = router.vc_allocation_delay_cycles + switch;
        let before = i64::from(router.routing_delay_cycles) + i64::from(allocation);
        router.switch_traversal_delay_cycles = (total - before).max(1) as u32;
    }
}
