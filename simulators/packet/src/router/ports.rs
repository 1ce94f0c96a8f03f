//! The wiring in the form that the cycle loop reads.

use crate::channels::Far;
use crate::router_options::RouterOptions;
use crate::wiring::{Peer, Wiring};
use fabric::PortNumbers;

/// An input port: its router, its place there, and where its credits go.
#[derive(Debug, Clone, Copy)]
pub struct InputPort {
    pub router: u32,
    pub number: u32,
    pub from: Far,
    /// From the cycle in which a flit leaves the buffer to the one in which its credit counts.
    pub credit_cycles: u32,
}

/// An output port and where its flits go.
#[derive(Debug, Clone, Copy)]
pub struct OutputPort {
    pub router: u32,
    pub to: Far,
    /// From the switch's grant to the arrival.
    pub flit_cycles: u32,
}

/// The channels of a node.
#[derive(Debug, Clone, Copy)]
pub struct NodePort {
    /// The input port behind the injection channel.
    pub injection: u32,
    pub injection_cycles: u32,
    /// The output port before the ejection channel.
    pub ejection: u32,
    pub ejection_credit_cycles: u32,
}

pub struct Ports {
    pub numbers: PortNumbers,
    pub inputs: Vec<InputPort>,
    pub outputs: Vec<OutputPort>,
    pub nodes: Vec<NodePort>,
    /// The longest delay of a flit or credit.
    pub horizon_cycles: u32,
}

impl Ports {
    pub fn new(wiring: &Wiring, options: &RouterOptions) -> Self {
        let mut ports = Self {
            numbers: wiring.numbers.clone(),
            inputs: Vec::with_capacity(wiring.numbers.ports()),
            outputs: Vec::with_capacity(wiring.numbers.ports()),
            nodes: Vec::with_capacity(wiring.nodes()),
            horizon_cycles: 0,
        };
        for router in 0..wiring.numbers.routers() {
            let first = wiring.numbers.first(router);
            for port in first..wiring.numbers.first(router + 1) {
                ports.add(wiring, options, router as u32, port - first, port as usize);
            }
        }
        for node in 0..wiring.nodes() {
            let ejection = wiring.ejection_port[node];
            let latency = wiring.latency_cycles[ejection as usize];
            ports.nodes.push(NodePort {
                injection: wiring.injection_port[node],
                injection_cycles: wiring.injection_latency_cycles[node]
                    + 1
                    + wiring.later_injected_cycles(node),
                ejection,
                ejection_credit_cycles: latency + 1 + options.credit_delay_cycles,
            });
        }
        let inputs = ports.inputs.iter().map(|port| port.credit_cycles);
        let outputs = ports.outputs.iter().map(|port| port.flit_cycles);
        let nodes = ports.nodes.iter().flat_map(|n| [n.injection_cycles, n.ejection_credit_cycles]);
        ports.horizon_cycles = inputs.chain(outputs).chain(nodes).max().unwrap_or(1);
        ports
    }

    fn add(
        &mut self,
        wiring: &Wiring,
        options: &RouterOptions,
        router: u32,
        number: u32,
        port: usize,
    ) {
        let from = wiring.input[port];
        let credit_cycles = match from {
            Peer::Port(peer) => {
                wiring.latency_cycles[peer as usize] + 1 + options.credit_delay_cycles
            }
            Peer::Node(node) => wiring.injection_latency_cycles[node as usize] + 1,
            Peer::Nothing => 1,
        };
        self.inputs.push(InputPort { router, number, from: from.into(), credit_cycles });
        let flit_cycles = options.switch_traversal_delay_cycles
            + wiring.latency_cycles[port]
            + 1
            + wiring.later_cycles(port);
        self.outputs.push(OutputPort { router, to: wiring.output[port].into(), flit_cycles });
    }
}
