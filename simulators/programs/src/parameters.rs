//! The `network` part of a point, as engines read it that run programs.

use engine::MessageCosts;
use fabric::{Channel, Links, TorusClasses};
use mpi::time::{Time, from_seconds, of_bytes};
use mpi::{Alone, Costs, Protocol};
use serde::Deserialize;
use serde_json::{Map, Value};

/// How many flits' times the pipeline of `packet` takes at most, where no part of it has a delay.
const PIPELINE_FLITS: f64 = 16.0;

/// What a network may say beside its links, as its keys.
const SECTIONS: [&str; 5] = ["packet", "router", "cables", "nic", "software"];

/// Whether the network of a point says more than what its links are like.
pub fn has_sections(network: &Map<String, Value>) -> bool {
    SECTIONS.iter().any(|&key| network.get(key).is_some_and(|section| !section.is_null()))
}

/// Everything that the network and its NICs are made of. Times in seconds, rates in bytes/s.
///
/// Networks without `router`, `cables` and `software` have no pipeline: `latency_s` delays every
/// message of data before it leaves, `hop_latency_s` every channel between routers. Networks with
/// one of these sections ignore both.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Parameters {
    pub bandwidth_bytes_per_s: f64,
    #[serde(default)]
    pub latency_s: f64,
    #[serde(default)]
    pub hop_latency_s: f64,
    #[serde(default)]
    pub packet: PacketSizes,
    pub router: Option<Router>,
    pub cables: Option<Cables>,
    #[serde(default)]
    pub nic: Nic,
    pub software: Option<Software>,
    /// What messages cost by their size; links have the speed and the latency that stand there.
    pub costs: Option<Box<MessageCosts>>,
    /// Channels whose speed or latency is not that of the network. The topology of a point says them.
    #[serde(skip)]
    pub links: Links,
}

/// Sizes on the wire; a packet is rounded up to whole flits.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(default)]
pub struct PacketSizes {
    /// Largest packet, header included.
    pub mtu_bytes: u64,
    pub header_bytes: u64,
    /// What a control packet holds beside its header.
    pub control_bytes: u64,
    pub flit_bytes: u64,
}

impl Default for PacketSizes {
    fn default() -> Self {
        Self { mtu_bytes: 2048, header_bytes: 0, control_bytes: 0, flit_bytes: 16 }
    }
}

/// Whether virtual channels of one input port may send at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum CrossbarInputs {
    /// One packet of a port at a time.
    #[default]
    PerPort,
    /// One packet of each virtual channel.
    PerVc,
}

/// Who goes first among packets that want the same output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Arbitration {
    #[default]
    RoundRobin,
}

/// A router; all are alike.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(default)]
pub struct Router {
    pub routing_s: f64,
    pub vc_allocation_s: f64,
    pub switch_allocation_s: f64,
    pub switch_traversal_s: f64,
    /// Further delay of the switch, through which the packet streams.
    pub switch_s: f64,
    pub virtual_channels: u32,
    pub vc_buffer_bytes: u64,
    pub crossbar_inputs: CrossbarInputs,
    pub torus_classes: TorusClasses,
    pub arbitration: Arbitration,
}

impl Default for Router {
    fn default() -> Self {
        Self {
            routing_s: 0.0,
            vc_allocation_s: 0.0,
            switch_allocation_s: 0.0,
            switch_traversal_s: 0.0,
            switch_s: 0.0,
            virtual_channels: 2,
            vc_buffer_bytes: 8192,
            crossbar_inputs: CrossbarInputs::default(),
            torus_classes: TorusClasses::default(),
            arbitration: Arbitration::default(),
        }
    }
}

/// Latencies of cables.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Default)]
#[serde(default)]
pub struct Cables {
    /// Router to router, and router to NIC.
    pub cable_s: f64,
    /// NIC to router; `cable_s` if absent.
    pub injection_s: Option<f64>,
}

/// What DMA finishes before it goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum DmaUnit {
    /// Memory and network work at the same time; one flit's time is added on each side.
    #[default]
    Flit,
    Packet,
    /// Store and forward of the whole message on both sides.
    Message,
}

/// In which order a NIC sends the messages of data that it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Service {
    /// One after the other, as they were handed over.
    #[default]
    InOrder,
    /// All of them in turn: a packet of each, or equal parts of its channel.
    RoundRobin,
}

/// Network interfaces; an absent rate is infinite.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Default)]
#[serde(default)]
pub struct Nic {
    pub dma_bytes_per_s: Option<f64>,
    pub memory_bytes_per_s: Option<f64>,
    pub dma_unit: DmaUnit,
    pub service: Service,
}

/// Time that calls of the program take; charged by messaging.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Default)]
#[serde(default)]
pub struct Software {
    pub send_overhead_s: f64,
    pub receive_overhead_s: f64,
    pub put_s: f64,
}

impl Parameters {
    /// How long so many bytes take on a channel at its full rate.
    pub fn time_of_bytes(&self, channel: Channel, bytes: u64) -> Time {
        of_bytes(bytes, self.bandwidth_bytes_per_s / self.links.slower(channel))
    }

    /// Whether pipeline and cables are given, so that `latency_s` and `hop_latency_s` do not count.
    pub fn is_detailed(&self) -> bool {
        self.router.is_some() || self.cables.is_some() || self.software.is_some()
    }

    pub fn router(&self) -> Router {
        self.router.unwrap_or_default()
    }

    pub fn software(&self) -> Software {
        self.software.unwrap_or_default()
    }

    /// What calls of programs cost beside the network.
    pub fn costs(&self) -> Protocol {
        let software = self.software();
        let between = self
            .costs
            .as_deref()
            .map(|costs| Box::new(Costs::new(costs.between_nodes.clone(), self.alone())));
        let inside = self.costs.as_deref().and_then(|costs| costs.inside_node.clone());
        Protocol {
            between_nodes: between,
            inside_node: inside.map(|curves| Box::new(Costs::new(curves, self.in_memory()))),
            send_overhead: from_seconds(software.send_overhead_s),
            receive_overhead: from_seconds(software.receive_overhead_s),
            put: from_seconds(software.put_s),
            memory_bytes_per_s: self.nic.memory_bytes_per_s.unwrap_or(f64::INFINITY),
            control_bytes: self.packet.control_bytes,
            ..Protocol::default()
        }
    }

    /// The same with the links of `costs`, if there are any.
    pub fn with_links_of_costs(mut self) -> Self {
        if let Some(costs) = &self.costs {
            self.bandwidth_bytes_per_s = costs.link_bandwidth_bytes_per_s;
            self.latency_s = costs.link_latency_s;
        }
        self
    }

    /// What a network takes at most for a message over one router that nothing else uses: each packet
    /// fills its last flit, and waits a few flits' times in the router.
    fn alone(&self) -> Alone {
        let PacketSizes { header_bytes, control_bytes, flit_bytes, .. } = self.packet;
        let flit_s = flit_bytes as f64 / self.bandwidth_bytes_per_s;
        let control = self.flits(control_bytes) as f64 * flit_s;
        let full = self.payload_bytes();
        Alone {
            start_s: self.latency_s
                + header_bytes as f64 / self.bandwidth_bytes_per_s
                + PIPELINE_FLITS * flit_s,
            byte_s: self.flits(full) as f64 * flit_s / full as f64,
            control_s: control + PIPELINE_FLITS * flit_s,
        }
    }

    /// The same inside a node.
    fn in_memory(&self) -> Alone {
        let byte_s = self.nic.memory_bytes_per_s.map_or(0.0, f64::recip);
        Alone { byte_s, ..Alone::NOTHING }
    }

    /// As [`PacketSizes::flits`].
    #[inline]
    pub fn flits(&self, payload_bytes: u64) -> u64 {
        self.packet.flits(payload_bytes)
    }

    /// As [`PacketSizes::payload_bytes`].
    pub fn payload_bytes(&self) -> u64 {
        self.packet.payload_bytes()
    }

    /// As [`PacketSizes::packets`].
    #[inline]
    pub fn packets(&self, message_bytes: u64) -> u64 {
        self.packet.packets(message_bytes)
    }

    /// As [`PacketSizes::bytes_of_packet`].
    #[inline]
    pub fn bytes_of_packet(&self, message_bytes: u64, is_last: bool) -> u64 {
        self.packet.bytes_of_packet(message_bytes, is_last)
    }
}

impl PacketSizes {
    /// Flits of a packet with so many bytes beside the header; at least 1.
    #[inline]
    pub fn flits(&self, payload_bytes: u64) -> u64 {
        (payload_bytes + self.header_bytes).div_ceil(self.flit_bytes).max(1)
    }

    /// Most bytes of a message that a packet holds.
    #[inline]
    pub fn payload_bytes(&self) -> u64 {
        self.mtu_bytes - self.header_bytes
    }

    /// Packets of a message; one without bytes is one packet, too.
    #[inline]
    pub fn packets(&self, message_bytes: u64) -> u64 {
        match self.payload_bytes() {
            payload if message_bytes <= payload => 1,
            payload => message_bytes.div_ceil(payload),
        }
    }

    /// Bytes of a message in one of its packets.
    #[inline]
    pub fn bytes_of_packet(&self, message_bytes: u64, is_last: bool) -> u64 {
        match self.payload_bytes() {
            payload if message_bytes <= payload => message_bytes,
            payload if !is_last => payload,
            payload => (message_bytes - 1) % payload + 1,
        }
    }
}
