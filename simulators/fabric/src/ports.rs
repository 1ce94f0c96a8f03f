//! Ports of the routers.
//!
//! Input ports and output ports of a router are each numbered from 0. An input port has the same number
//! as the output port that leads back to the router or node it comes from, if there is one.

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

    /// Output port at which the channel begins; none for an injection channel, which begins at a node.
    pub fn output_port(&self, channel: Channel) -> Option<u32> {
        let nodes = self.nodes();
        match channel {
            c if c < nodes => None,
            c if c < 2 * nodes => Some(each!(self, f => f.node_port(c - nodes))),
            c => Some(each!(self, f => f.output_port(c - 2 * nodes))),
        }
    }

    /// Input port at which the channel ends; none for an ejection channel, which ends at a node.
    pub fn input_port(&self, channel: Channel) -> Option<u32> {
        let nodes = self.nodes();
        match channel {
            c if c < nodes => Some(match self {
                Self::Graph(graph) => graph.injection_port(c),
                fabric => each!(fabric, f => f.node_port(c)),
            }),
            c if c < 2 * nodes => None,
            c => Some(each!(self, f => f.input_port(c - 2 * nodes))),
        }
    }
}

/// Numbers for the ports of all routers, one router after the other. Input ports and output ports have
/// the same numbers.
#[derive(Debug, Clone, Default)]
pub struct PortNumbers {
    /// The number of the first port of each router, then the number of all ports.
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

    /// Number of the first port of a router. For the number of routers, it is the number of all ports.
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
