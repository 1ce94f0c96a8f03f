//! Networks and transfers.

#[path = "../../../fabric/tests/integration/common/graphs.rs"]
mod graphs;

use anet::network::Network;
use anet::options::Options;
use fabric::{Fabric, TopologySpec};
use mpi::time::{NEVER, Time};
use mpi::{Happening, Kind, Nobody, Token, Transfer, Transport};
use programs::Parameters;
use serde_json::{Value, json};

/// Times of the paper in picoseconds, as the options are by default.
pub const SETUP: Time = 1_670_000;
pub const ROUTING: Time = 890_000;
pub const LINK: Time = 160_000;
pub const HOP: Time = ROUTING + LINK;

/// Two clocks of 30 MHz for each byte, to the nearest picosecond.
pub fn stream(bytes: u64) -> Time {
    (bytes as f64 * 1e12 / 15e6).round() as Time
}

pub fn options() -> Value {
    json!({
        "send_setup_s": 1.67e-6, "routing_s": 0.89e-6, "link_s": 0.16e-6, "interrupt_s": 0.0,
        "host_byte_s": 66.667e-9, "least_message_bytes": 35, "turns": 2,
        "packet_buffer_bytes": 16384, "when_full": "ask_both", "choice": "first_free",
        "duplex": "half", "ports_file": null,
    })
}

pub fn cube() -> Value {
    json!({"kind": "hypercube", "dimensions": 4})
}

/// A graph with a node on each of these routers, and these links.
pub fn graph(nodes: &[u32], links: &[(u32, u32)]) -> Value {
    let switches = links.iter().map(|&(a, b)| a.max(b) + 1).max().unwrap_or(1);
    let graph = graphs::Links { switches, nodes: nodes.to_vec(), links: links.to_vec() };
    graph.spec("shortest")
}

pub fn fabric(topology: &Value) -> Result<Fabric, String> {
    let spec: TopologySpec = serde_json::from_value(topology.clone()).unwrap();
    spec.build_channels(1).map_err(|e| e.to_string())
}

pub fn try_network(topology: &Value, options: Value) -> Result<Network<Nobody>, String> {
    let network = json!({"bandwidth_bytes_per_s": 15e6});
    let parameters: Parameters = serde_json::from_value(network).unwrap();
    let options = Options::read(options)?;
    Network::new(&fabric(topology)?, &parameters, &options, 7, Nobody)
}

pub fn network(topology: &Value) -> Network<Nobody> {
    try_network(topology, options()).unwrap()
}

/// A network with one option of another value.
pub fn network_with(topology: &Value, key: &str, value: Value) -> Network<Nobody> {
    let mut options = options();
    options[key] = value;
    try_network(topology, options).unwrap()
}

pub fn data(src: u32, dst: u32, bytes: u64, token: Token) -> Transfer {
    Transfer { src, dst, number: 0, bytes, kind: Kind::Data, ordered: true, token }
}

/// All that happens until the network is empty, or why it cannot go on.
pub fn run(network: &mut impl Transport) -> Result<Vec<(Time, Happening)>, String> {
    let (mut all, mut found) = (vec![], vec![]);
    while !network.is_idle() {
        let at = network.advance(NEVER, &mut found);
        if let Some(failure) = network.failure() {
            return Err(failure.into());
        }
        all.extend(found.drain(..).map(|happening| (at, happening)));
    }
    Ok(all)
}

pub fn when(all: &[(Time, Happening)], what: Happening) -> Time {
    let found = all.iter().find(|(_, happening)| *happening == what);
    found.unwrap_or_else(|| panic!("{what:?} in {all:?}")).0
}
