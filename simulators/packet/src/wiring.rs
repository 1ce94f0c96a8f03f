//! Ports of routers and the channels between them.
//!
//! Input and output ports of a router are numbered from 0; an input port has the number of the
//! output port that leads back to where it comes from, if there is one. All ports of all routers are
//! numbered as well: port `p` of router `r` has the number `first_port[r] + p`, on both sides.

use fabric::{Channel, Node};

/// Where an output port leads, or an input port comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// The port of another router, by its number among all ports.
    Port(u32),
    Node(Node),
    /// The port is not connected.
    Nothing,
}

/// The network as routers see it.
#[derive(Debug, Clone, Default)]
pub struct Wiring {
    /// Routers + 1 numbers.
    pub first_port: Vec<u32>,
    /// Per port: where its output leads.
    pub output: Vec<Peer>,
    /// Per port: where its input comes from.
    pub input: Vec<Peer>,
    /// Per port: latency in cycles of the channel behind the output; a flit that leaves the crossbar
    /// in cycle t arrives in t + latency + 1, as does its credit on the way back.
    pub latency_cycles: Vec<u32>,
    /// Per port: channel of the fabric behind the output.
    pub channel: Vec<Channel>,
    /// Per node: the input port that its injection channel leads to.
    pub injection_port: Vec<u32>,
    /// Per node: the output port from which its ejection channel comes.
    pub ejection_port: Vec<u32>,
    /// Per node: latency in cycles of the injection channel.
    pub injection_latency_cycles: Vec<u32>,
}

impl Wiring {
    pub fn routers(&self) -> usize {
        self.first_port.len() - 1
    }

    pub fn nodes(&self) -> usize {
        self.injection_port.len()
    }

    pub fn ports(&self) -> usize {
        self.output.len()
    }
}
