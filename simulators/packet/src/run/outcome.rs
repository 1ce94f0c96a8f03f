//! What a run found.

use super::Network;
use crate::measure::{Histogram, Population};
use fabric::Channel;
use programs::LinkFlows;

/// Totals between two instants of a run.
#[derive(Debug, Clone, Default)]
pub struct Window {
    pub start: u64,
    pub end: u64,
    /// Per node.
    pub injected_flits: Vec<u64>,
    pub ejected_flits: Vec<u64>,
    /// Per output port of the wiring, and per node's injection channel.
    pub port_flits: Vec<u64>,
    pub injection_channel_flits: Vec<u64>,
    /// Flits of each pair of nodes on each channel, if somebody asks.
    pub flows: Option<LinkFlows>,
}

impl Window {
    /// Opens a window: counts so far. `flows_on` has the channel of each port, if somebody asks for the
    /// flows.
    pub fn open(network: &mut dyn Network, flows_on: Option<&[Channel]>) -> Self {
        if let Some(channels) = flows_on {
            network.count_flows(channels);
        }
        Self {
            flows: None,
            start: network.now(),
            end: network.now(),
            injected_flits: network.meter().node_injected.clone(),
            ejected_flits: network.meter().node_ejected.clone(),
            port_flits: network.flits_carried().to_vec(),
            injection_channel_flits: network.injection_flits().to_vec(),
        }
    }

    /// Closes it at `end`: keeps what was counted since.
    pub fn close(&mut self, network: &mut dyn Network, end: u64) {
        self.flows = network.take_flows();
        self.end = end;
        let since = |before: &mut [u64], now: &[u64]| {
            before.iter_mut().zip(now).for_each(|(before, now)| *before = now - *before);
        };
        since(&mut self.injected_flits, &network.meter().node_injected);
        since(&mut self.ejected_flits, &network.meter().node_ejected);
        since(&mut self.port_flits, network.flits_carried());
        since(&mut self.injection_channel_flits, network.injection_flits());
    }

    pub fn cycles(&self) -> u64 {
        self.end - self.start
    }

    /// Flits per node and cycle.
    pub fn rate(&self, flits: &[u64]) -> f64 {
        let total: u64 = flits.iter().sum();
        total as f64 / (self.cycles().max(1) * flits.len() as u64) as f64
    }
}

/// Result of a run of open-loop traffic.
#[derive(Debug, Clone)]
pub struct Steady {
    pub window: Window,
    /// Packets created in the window; those that arrived in it if the network is saturated or its
    /// sources are always backlogged.
    pub packets: Population,
    /// Of the flits that arrived in the window.
    pub flit_latency: Histogram,
    pub saturated: bool,
    /// Share of the flits offered in the window by which the backlog grew.
    pub left_over: f64,
    /// Whether creation times mean something: neither saturated nor always backlogged.
    pub has_packet_latency: bool,
    pub accepted_half_width: Option<f64>,
    pub latency_half_width: Option<f64>,
}
