//! Networks and transfers for the tests of the network.
#![allow(dead_code, reason = "each test uses a part of it")]

#[path = "../../../../fabric/tests/integration/common/graphs.rs"]
pub mod graphs;

use fabric::{Fabric, TopologySpec, TorusClasses};
use mpi::time::{NEVER, Time};
use mpi::{Happening, Kind, Nobody, Token, Transfer, Transport};
use programs::Parameters;
use rdma::network::Network;
use serde_json::{Value, json};

/// One small fabric of every kind.
pub fn topologies() -> Vec<Value> {
    vec![
        json!({"kind": "crossbar", "nodes": 6}),
        json!({"kind": "mesh", "sizes": [4, 3]}),
        json!({"kind": "torus", "ties": "plus", "sizes": [2]}),
        json!({"kind": "torus", "ties": "plus", "sizes": [5, 3]}),
        json!({"kind": "torus", "ties": "plus", "sizes": [4, 4, 2]}),
        json!({"kind": "fat_tree", "k": 2, "levels": 3}),
        json!({"kind": "hypercube", "dimensions": 4}),
        json!({"kind": "fly", "k": 2, "stages": 3}),
        json!({"kind": "flattened_butterfly", "k": 3, "dimensions": 2}),
        json!({"kind": "dragonfly", "p": 1, "a": 2, "h": 1}),
        graphs::Links::ring(5, 2).spec("shortest"),
        graphs::Links::torus(4, 4).spec("shortest"),
        graphs::Links::random(4, 6, 8, 8).spec("shortest"),
        graphs::Links::random(5, 7, 8, 6).spec("up_down"),
    ]
}

/// Small fabrics whose packets choose their routes on the way, with every routing that does.
pub fn chosen_on_the_way() -> Vec<Value> {
    let mut all = vec![
        json!({"kind": "fat_tree", "k": 2, "levels": 3, "routing": "nca"}),
        json!({"kind": "fat_tree", "k": 3, "levels": 3, "routing": "anca"}),
        json!({"kind": "hypercube", "dimensions": 4, "routing": "minimal_adaptive"}),
    ];
    for routing in ["valiant", "ugal"] {
        let butterfly = json!({"kind": "flattened_butterfly", "k": 3, "dimensions": 2});
        let dragonfly = json!({"kind": "dragonfly", "p": 2, "a": 3, "h": 1});
        all.extend([butterfly, dragonfly].map(|mut topology| {
            topology["routing"] = json!(routing);
            topology
        }));
    }
    all
}

/// The least number of virtual channels from `vcs` on with which a topology works.
pub fn enough_vcs(topology: &Value, vcs: u64) -> u64 {
    vcs.max(fabric(topology).needed_vcs(TorusClasses::Dateline).unwrap().at_least.into())
}

pub fn fabric(topology: &Value) -> Fabric {
    serde_json::from_value::<TopologySpec>(topology.clone()).unwrap().build_channels(1).unwrap()
}

pub fn parameters(network: Value) -> Parameters {
    serde_json::from_value(network).unwrap()
}

/// OpenNSIM, Table 3; the time in which a flit crosses the switch is that of the flit on the link.
pub fn opennsim() -> Value {
    json!({
        "bandwidth_bytes_per_s": 4e9,
        "packet": {"mtu_bytes": 2048, "header_bytes": 32, "flit_bytes": 16},
        "router": {"routing_s": 4e-9, "vc_allocation_s": 4e-9, "switch_allocation_s": 4e-9,
                   "switch_s": 78e-9, "virtual_channels": 2, "vc_buffer_bytes": 8192},
        "cables": {"cable_s": 10e-9, "injection_s": 0.0},
        "nic": {"dma_bytes_per_s": 16e9, "dma_unit": "flit"},
    })
}

/// NSIM-ACE, Table 1: QDR InfiniBand.
pub fn infiniband() -> Value {
    json!({
        "bandwidth_bytes_per_s": 4e9,
        "packet": {"mtu_bytes": 2048, "header_bytes": 32, "flit_bytes": 8},
        "router": {"routing_s": 4e-9, "vc_allocation_s": 4e-9, "switch_allocation_s": 4e-9,
                   "switch_s": 128e-9, "virtual_channels": 2, "vc_buffer_bytes": 8192},
        "cables": {"cable_s": 0.6e-9},
        "nic": {"dma_bytes_per_s": 2.8e9, "dma_unit": "flit"},
    })
}

/// No pipeline: latency and bandwidth only.
pub fn plain() -> Value {
    json!({"bandwidth_bytes_per_s": 1.25e8, "latency_s": 5e-5, "hop_latency_s": 1e-6})
}

pub fn network(topology: &Value, network: Value) -> Network<Nobody> {
    Network::new(&fabric(topology), &parameters(network), 7, Nobody).unwrap()
}

pub fn data(src: u32, dst: u32, bytes: u64, token: Token) -> Transfer {
    Transfer { src, dst, number: 0, bytes, kind: Kind::Data, ordered: true, token }
}

pub fn control(src: u32, dst: u32, bytes: u64, token: Token) -> Transfer {
    Transfer { src, dst, number: 0, bytes, kind: Kind::Control, ordered: true, token }
}

/// All that happens from now on.
pub fn run(network: &mut impl Transport) -> Vec<(Time, Happening)> {
    let (mut out, mut found) = (Vec::new(), Vec::new());
    while !network.is_idle() {
        let at = network.advance(NEVER, &mut found);
        assert!(!found.is_empty(), "nothing happens any more, but transfers are under way");
        out.extend(found.drain(..).map(|happening| (at, happening)));
    }
    out
}

/// When a transfer arrived.
pub fn arrival(happened: &[(Time, Happening)], token: Token) -> Time {
    let arrived = |(_, happening): &&(Time, Happening)| *happening == Happening::Arrived(token);
    happened.iter().find(arrived).expect("it arrived").0
}

/// A small deterministic generator, so that tests repeat.
pub struct Draw(pub u64);

impl Draw {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}
