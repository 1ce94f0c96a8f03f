//! What a network may be: every key's limits.

use crate::parameters::{PacketSizes, Parameters};

/// Most virtual channels of a port.
const MAX_VIRTUAL_CHANNELS: u32 = 64;
/// Most flits of a packet.
const MAX_FLITS: u64 = u16::MAX as u64;
/// A flit's time at least: what is rounded to picoseconds is then off by a twentieth of a flit.
const SHORTEST_FLIT_S: f64 = 10e-12;
/// A delay, and a packet's time, at most: 2^64 ps hold 18 million of them in a row.
const LONGEST_S: f64 = 1.0;

fn check_times(values: &[(&str, f64)]) -> Result<(), String> {
    match values.iter().find(|(_, value)| !(0.0..=LONGEST_S).contains(value)) {
        Some((key, value)) => {
            Err(format!("network.{key} is {value}, must be within 0..{LONGEST_S} s"))
        }
        None => Ok(()),
    }
}

impl Parameters {
    /// Says what is wrong: the key, its value and what is allowed.
    pub fn check(&self) -> Result<(), String> {
        let (router, cables) = (self.router(), self.cables.unwrap_or_default());
        let software = self.software();
        check_times(&[
            ("latency_s", self.latency_s),
            ("hop_latency_s", self.hop_latency_s),
            ("router.routing_s", router.routing_s),
            ("router.vc_allocation_s", router.vc_allocation_s),
            ("router.switch_allocation_s", router.switch_allocation_s),
            ("router.switch_traversal_s", router.switch_traversal_s),
            ("router.switch_s", router.switch_s),
            ("cables.cable_s", cables.cable_s),
            ("cables.injection_s", cables.injection_s.unwrap_or(0.0)),
            ("software.send_overhead_s", software.send_overhead_s),
            ("software.receive_overhead_s", software.receive_overhead_s),
            ("software.put_s", software.put_s),
        ])?;
        self.check_costs()?;
        self.check_sizes()?;
        self.check_rates()
    }

    /// Costs by size hold all that software and memory take, so nothing else may charge for it.
    fn check_costs(&self) -> Result<(), String> {
        let Some(costs) = &self.costs else { return Ok(()) };
        costs.check()?;
        if self.is_detailed() {
            return Err("network.costs hold what software, routers and cables take; leave these \
                        out, or leave costs out"
                .into());
        }
        Ok(())
    }

    /// Rates at which times in whole picoseconds are neither 0 nor too large.
    fn check_rates(&self) -> Result<(), String> {
        let bandwidth = self.bandwidth_bytes_per_s;
        let slowest = self.packet.mtu_bytes as f64 / LONGEST_S;
        let rates = [
            ("bandwidth_bytes_per_s", Some(self.bandwidth_bytes_per_s)),
            ("nic.dma_bytes_per_s", self.nic.dma_bytes_per_s),
            ("nic.memory_bytes_per_s", self.nic.memory_bytes_per_s),
            ("bandwidth_bytes_per_s of the slowest link", Some(bandwidth / self.links.slowest())),
        ];
        for (key, rate) in rates.into_iter().filter_map(|(key, rate)| Some((key, rate?))) {
            if !(rate.is_finite() && rate >= slowest) {
                return Err(format!(
                    "network.{key} is {rate}, must be at least {slowest}: a packet of mtu_bytes \
                     takes 1 s at most"
                ));
            }
        }
        let flit = self.packet.flit_bytes;
        let fastest = flit as f64 / SHORTEST_FLIT_S;
        // A small share for the division, so that the bound itself is allowed.
        if bandwidth / self.links.fastest() > fastest * (1.0 + 1e-9) {
            return Err(format!(
                "network.bandwidth_bytes_per_s is {:e}, must be at most {fastest:e}: a flit of \
                 {flit} bytes takes 10 ps at least, since times are whole picoseconds",
                bandwidth / self.links.fastest()
            ));
        }
        Ok(())
    }

    fn check_sizes(&self) -> Result<(), String> {
        let PacketSizes { mtu_bytes, header_bytes, control_bytes, flit_bytes } = self.packet;
        if flit_bytes == 0 {
            return Err("network.packet.flit_bytes is 0, must be at least 1".into());
        }
        if mtu_bytes <= header_bytes {
            return Err(format!(
                "network.packet.mtu_bytes is {mtu_bytes}, must be above header_bytes, {header_bytes}"
            ));
        }
        if mtu_bytes.div_ceil(flit_bytes) > MAX_FLITS {
            return Err(format!(
                "network.packet.mtu_bytes is {mtu_bytes}, must be at most {MAX_FLITS} flits of \
                 {flit_bytes} bytes"
            ));
        }
        if control_bytes > self.payload_bytes() {
            return Err(format!(
                "network.packet.control_bytes is {control_bytes}, must be at most mtu_bytes - \
                 header_bytes, {}",
                self.payload_bytes()
            ));
        }
        Ok(())
    }

    /// What a router with buffers needs beside [`Parameters::check`]: virtual channels, and room for
    /// a packet in each.
    pub fn check_buffers(&self) -> Result<(), String> {
        let PacketSizes { mtu_bytes, flit_bytes, .. } = self.packet;
        let router = self.router();
        let vcs = router.virtual_channels;
        if !(1..=MAX_VIRTUAL_CHANNELS).contains(&vcs) {
            return Err(format!(
                "network.router.virtual_channels is {vcs}, must be within 1..{MAX_VIRTUAL_CHANNELS}"
            ));
        }
        let (buffer, packet) =
            (router.vc_buffer_bytes, mtu_bytes.div_ceil(flit_bytes) * flit_bytes);
        if buffer < packet {
            return Err(format!(
                "network.router.vc_buffer_bytes is {buffer}, must be at least {packet}: virtual \
                 cut-through needs room for a packet of mtu_bytes in whole flits"
            ));
        }
        if buffer / flit_bytes > u64::from(u32::MAX) {
            return Err(format!(
                "network.router.vc_buffer_bytes is {buffer}, must be at most 2^32 flits"
            ));
        }
        Ok(())
    }
}
