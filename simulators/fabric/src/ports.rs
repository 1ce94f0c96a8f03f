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
