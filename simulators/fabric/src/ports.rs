//! Ports of the routers.
//!
//! Input and output ports of a router are numbered from 0. An input port has the number of the output
//! port that leads back to where it comes from, if there is one.

use crate::{Channel, Fabric};

impl Fabric {
    /// Number of routers.
    pub fn routers(&self) -> u32 {
        each!(self, f => f.router_count())
    }

    /// Number of input ports, and of output ports, of a router.
    pub fn ports(&self, router: u32) -> u32 {
        each!(self, f => f.ports(router))
    }

    /// Output port of the router at which the channel begins; an injection channel begins at a node.
    pub fn output_port(&self, channel: Channel) -> Option<u32> {
        let nodes = self.nodes();
        match channel {
            c if c < nodes => None,
            c if c < 2 * nodes => Some(each!(self, f => f.node_port(c - nodes))),
            c => Some(each!(self, f => f.output_port(c - 2 * nodes))),
        }
    }

    /// Input port of the router at which the channel ends; an ejection channel ends at a node.
    pub fn input_port(&self, channel: Channel) -> Option<u32> {
        let nodes = self.nodes();
        match channel {
            c if c < nodes => Some(each!(self, f => f.node_port(c))),
            c if c < 2 * nodes => None,
            c => Some(each!(self, f => f.input_port(c - 2 * nodes))),
        }
    }
}

/// The ports of all routers, numbered one router after the other, on the input and the output side.
#[derive(Debug, Clone, Default)]
pub struct PortNumbers {
    /// Routers + 1 numbers: where the ports of a router begin, and how many there are in all.
    first: Vec<u32>,
}

impl PortNumbers {
    /// The numbers of the ports of a fabric.
    pub fn new(fabric: &Fabric) -> Self {
        let mut ports = 0;
        let ends = (0..fabric.routers()).map(|router| {
            ports += fabric.ports(router);
            ports
        });
        Self { first: std::iter::once(0).chain(ends).collect() }
    }

    pub fn routers(&self) -> usize {
        self.first.len() - 1
    }

    /// Ports of all routers.
    pub fn ports(&self) -> usize {
        self.first(self.routers()) as usize
    }

    /// Number of the first port of a router; of the router behind the last one, the number of all.
    #[inline]
    pub fn first(&self, router: usize) -> u32 {
        self.first[router]
    }

    /// Most ports of a router.
    pub fn widest(&self) -> u32 {
        self.first.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0)
    }

    /// The router to which a port belongs.
    pub fn router_of(&self, port: u32) -> u32 {
        self.first.partition_point(|&first| first <= port) as u32 - 1
    }
}
