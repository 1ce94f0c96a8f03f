//! Pairwise XOR all-to-all on a torus without programs: `network_alltoall STEPS [key=value …]`
//! prints simulated time, packet-hops, CPU seconds
//! and a digest; `benchmarks/rdma.py` runs it.

use engine::Usage;
use fabric::TopologySpec;
use mpi::time::NEVER;
use mpi::{Happening, Kind, Nobody, Transfer, Transport};
use programs::Parameters;
use programs::SimulatedNetwork;
use rdma::network::Network;
use serde_json::{Value, json};

/// Ranks go from step to step when their own message is out and their partner's is in.
struct Exchange {
    nodes: u32,
    steps: Vec<u32>,
    bytes: u64,
    /// Per node: the step it is in, what is missing of it, and what came early for the next ones.
    at: Vec<usize>,
    open: Vec<u8>,
    early: Vec<Vec<usize>>,
}

impl Exchange {
    fn begin(&mut self, node: u32, now: u64, network: &mut Network<Nobody>) -> bool {
        let Some(&mask) = self.steps.get(self.at[node as usize]) else { return false };
        let step = self.at[node as usize];
        self.open[node as usize] = 2;
        let token = step as u32 * self.nodes + node;
        let (src, dst) = (node, node ^ mask);
        let (bytes, kind) = (self.bytes, Kind::Data);
        network.send(now, Transfer { src, dst, number: 0, bytes, kind, ordered: true, token });
        let early = &mut self.early[node as usize];
        if let Some(place) = early.iter().position(|&other| other == step) {
            early.swap_remove(place);
            self.open[node as usize] -= 1;
        }
        true
    }

    fn happened(&mut self, happening: Happening, now: u64, network: &mut Network<Nobody>) {
        let node = match happening {
            Happening::Read(token) => token % self.nodes,
            Happening::HeadArrived(_) => unreachable!("this network reports no heads"),
            Happening::Arrived(token) => {
                let step = (token / self.nodes) as usize;
                let dst = (token % self.nodes) ^ self.steps[step];
                if self.at[dst as usize] != step {
                    self.early[dst as usize].push(step);
                    return;
                }
                dst
            }
        };
        self.open[node as usize] -= 1;
        while self.open[node as usize] == 0 {
            self.at[node as usize] += 1;
            if !self.begin(node, now, network) {
                break;
            }
        }
    }
}

const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// Of all that happened, in order, and of what every channel carried: two versions of the network
/// that give the same did the same.
#[derive(Default)]
struct Digest(u64);

impl Digest {
    fn add(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(MIX);
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let count: usize = arguments.first().map_or(8, |text| text.parse().expect("a number of steps"));
    let mut sizes = vec![16, 16, 8];
    let mut bytes = 65536;
    let mut network = json!({
        "bandwidth_bytes_per_s": 4e9,
        "packet": {"mtu_bytes": 2048, "header_bytes": 32, "flit_bytes": 16},
        "router": {"routing_s": 4e-9, "vc_allocation_s": 4e-9, "switch_allocation_s": 4e-9,
                   "switch_s": 78e-9, "virtual_channels": 2, "vc_buffer_bytes": 8192},
        "cables": {"cable_s": 10e-9, "injection_s": 0.0},
        "nic": {"dma_bytes_per_s": 16e9, "dma_unit": "flit"},
    });
    for argument in &arguments[1.min(arguments.len())..] {
        let (key, value) = argument.split_once('=').expect("key=value");
        match key {
            "sizes" => sizes = value.split('x').map(|size| size.parse().unwrap()).collect(),
            "bytes" => bytes = value.parse().unwrap(),
            _ => {
                let (section, key) = key.split_once('.').unwrap_or(("router", key));
                let value = serde_json::from_str(value).unwrap_or(Value::from(value));
                network[section][key] = value;
            }
        }
    }
    let parameters: Parameters = serde_json::from_value(network).expect("parameters");
    let topology: TopologySpec =
        serde_json::from_value(json!({"kind": "torus", "ties": "plus", "sizes": sizes}))
            .expect("a topology");
    let fabric = topology.build(0).expect("a fabric");
    let nodes = fabric.nodes();
    assert!(nodes.is_power_of_two(), "sizes: exclusive or needs a power of two of nodes");
    // Steps spread over all: their cost differs with the distance.
    let steps = if count == 0 || count >= nodes as usize {
        (1..nodes).collect()
    } else {
        (0..count).map(|i| 1 + (i * 1237 % (nodes as usize - 1)) as u32).collect()
    };
    let mut exchange = Exchange {
        nodes,
        steps,
        bytes,
        at: vec![0; nodes as usize],
        open: vec![0; nodes as usize],
        early: vec![Vec::new(); nodes as usize],
    };
    let start = Usage::of_process().cpu_s;
    let mut network = Network::new(&fabric, &parameters, 0, Nobody).expect("a network");
    for node in 0..nodes {
        exchange.begin(node, 0, &mut network);
    }
    let (mut happenings, mut now, mut digest) = (Vec::new(), 0, Digest::default());
    while !network.is_idle() {
        now = network.advance(NEVER, &mut happenings);
        // Happenings of one time have no order.
        let mut together = 0_u64;
        for happening in happenings.drain(..) {
            let (kind, token) = match happening {
                Happening::Read(token) => (1, token),
                Happening::Arrived(token) => (2, token),
                Happening::HeadArrived(_) => unreachable!("this network reports no heads"),
            };
            together = together.wrapping_add((u64::from(token) << 2 | kind).wrapping_mul(MIX));
            exchange.happened(happening, now, &mut network);
        }
        digest.add(now);
        digest.add(together);
    }
    let cpu = Usage::of_process().cpu_s - start;
    for channel in 0..fabric.channels() {
        digest.add(network.channel_bytes(channel));
        digest.add(network.channel_packets(channel));
    }
    let hops = network.packet_hops();
    println!(
        "{}",
        json!({
            "steps": exchange.steps.len(),
            "time_ms": now as f64 * 1e-9,
            "packets": network.packets(),
            "packet_hops": hops,
            "cpu_s": cpu,
            "packet_hops_per_cpu_s": hops as f64 / cpu,
            "digest": format!("{:016x}", digest.0),
        })
    );
}
