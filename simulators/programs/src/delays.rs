//! Delays of a network's parts in picoseconds, the same for every engine.

use crate::parameters::Parameters;
use fabric::{Channel, Links};
use mpi::time::{Time, from_seconds};

/// What a head waits for on its way, and a message before it leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delays {
    /// Of a message of data, before it leaves its NIC.
    pub message: Time,
    /// From a head's arrival at the front of a buffer until it may get a virtual channel.
    pub routing: Time,
    /// From there until it may get the switch.
    pub vc_allocation: Time,
    pub switch_allocation: Time,
    /// Through the switch.
    pub switch: Time,
    /// Cables from nodes to routers, between routers, and from routers to nodes.
    pub injection_cable: Time,
    pub cable: Time,
    pub ejection_cable: Time,
}

impl Delays {
    pub fn new(parameters: &Parameters) -> Self {
        let router = parameters.router();
        let cables = parameters.cables.unwrap_or_default();
        let is_detailed = parameters.is_detailed();
        let (cable, message) = if is_detailed {
            (from_seconds(cables.cable_s), 0)
        } else {
            (from_seconds(parameters.hop_latency_s), from_seconds(parameters.latency_s))
        };
        let ejection_cable = if is_detailed { cable } else { 0 };
        Self {
            message,
            routing: from_seconds(router.routing_s),
            vc_allocation: from_seconds(router.vc_allocation_s),
            switch_allocation: from_seconds(router.switch_allocation_s),
            switch: from_seconds(router.switch_traversal_s) + from_seconds(router.switch_s),
            injection_cable: cables.injection_s.map_or(ejection_cable, from_seconds),
            cable,
            ejection_cable,
        }
    }

    /// Of a channel's cable, in a network of so many nodes.
    pub fn of_cable(&self, channel: Channel, nodes: u32, links: &Links) -> Time {
        let otherwise = match channel {
            c if c < nodes => self.injection_cable,
            c if c < 2 * nodes => self.ejection_cable,
            _ => self.cable,
        };
        links.get(channel).latency_s.map_or(otherwise, from_seconds)
    }

    /// As [`Delays::of_head`] over these channels, whose cables may differ.
    pub fn of_head_on(&self, path: &[Channel], nodes: u32, links: &Links) -> Time {
        let routers = (path.len() as u64).saturating_sub(1);
        if links.are_alike() {
            return self.of_head(routers);
        }
        let router = self.routing + self.vc_allocation + self.crossing();
        let cables = path.iter().map(|&channel| self.of_cable(channel, nodes, links));
        routers * router + cables.sum::<Time>()
    }

    /// From the switch's grant until the head has crossed it.
    pub fn crossing(&self) -> Time {
        self.switch_allocation + self.switch
    }

    /// From a head's leaving a NIC until it reaches another, over so many routers that are all free.
    pub fn of_head(&self, routers: u64) -> Time {
        let router = self.routing + self.vc_allocation + self.crossing();
        let between = routers.saturating_sub(1) * self.cable;
        self.injection_cable + routers * router + between + self.ejection_cable
    }
}
