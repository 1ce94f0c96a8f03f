//! Random traffic beyond saturation: everything arrives, in order, and leaves nothing behind.

use crate::network_common::*;
use mpi::time::{NEVER, Time};
use mpi::{Happening, Kind, Nobody, Transfer, Transport};
use programs::SimulatedNetwork;
use proptest::prelude::*;
use rdma::network::Network;
use serde_json::{Value, json};

/// Small buffers, so that packets block each other at once.
fn tight(vcs: u64, per_vc: bool, balanced: bool, dma_unit: &str) -> Value {
    json!({
        "bandwidth_bytes_per_s": 4e9,
        "packet": {"mtu_bytes": 256, "header_bytes": 32, "flit_bytes": 16},
        "router": {"routing_s": 4e-9, "vc_allocation_s": 4e-9, "switch_allocation_s": 4e-9,
                   "switch_s": 78e-9, "virtual_channels": vcs, "vc_buffer_bytes": 304,
                   "crossbar_inputs": if per_vc { "per_vc" } else { "per_port" },
                   "torus_classes": if balanced { "balanced" } else { "dateline" }},
        "cables": {"cable_s": 10e-9},
        "nic": {"dma_bytes_per_s": 5e9, "memory_bytes_per_s": 9e9, "dma_unit": dma_unit},
    })
}

fn transfers(nodes: u32, count: u32, seed: u64) -> Vec<Transfer> {
    let mut draw = Draw(seed);
    let one = |token| {
        let (src, dst) = (draw.below(nodes.into()) as u32, draw.below(nodes.into()) as u32);
        let kind = if draw.below(4) == 0 { Kind::Control } else { Kind::Data };
        let bytes = if kind == Kind::Data { draw.below(1500) } else { draw.below(100) };
        Transfer { src, dst, number: 0, bytes, kind, ordered: true, token }
    };
    (0..count).map(one).collect()
}

/// All that happens when the transfers are handed over within a short time, in this order.
fn happenings(topology: &Value, parameters: &Value, sent: &[Transfer]) -> Vec<(Time, Happening)> {
    let mut network = network(topology, parameters.clone());
    for (i, &transfer) in sent.iter().enumerate() {
        network.send(i as Time * 1_000, transfer);
    }
    let happened = run(&mut network);
    let between_nodes = sent.iter().filter(|t| t.src != t.dst);
    let read = self::parameters(parameters.clone());
    let count = |t: &Transfer| if t.kind == Kind::Data { read.packets(t.bytes) } else { 1 };
    assert_eq!(network.packets(), between_nodes.clone().map(count).sum::<u64>());
    let bytes = |first: u32, end: u32| (first..end).map(|c| network.channel_bytes(c)).sum::<u64>();
    let nodes = network.fabric().nodes();
    assert_eq!(bytes(0, nodes), bytes(nodes, 2 * nodes), "bytes out are bytes in");
    // The last credits come back after the last packet.
    let end = happened.last().map_or(0, |last| last.0);
    network.advance(end + 10_000_000, &mut Vec::new());
    assert!(network.is_restored(), "credits are missing: {topology}");
    happened
}

fn assert_everything_arrives_in_order(sent: &[Transfer], happened: &[(Time, Happening)]) {
    let arrived: Vec<u32> = happened
        .iter()
        .filter_map(|&(_, happening)| match happening {
            Happening::Arrived(token) => Some(token),
            Happening::Read(_) | Happening::HeadArrived(_) => None,
        })
        .collect();
    assert_eq!(arrived.len(), sent.len());
    let read = happened.len() - arrived.len();
    assert_eq!(read, sent.iter().filter(|t| t.kind == Kind::Data).count());
    let mut last = std::collections::HashMap::new();
    for token in arrived {
        let Transfer { src, dst, .. } = sent[token as usize];
        if let Some(before) = last.insert((src, dst), token) {
            assert!(before < token, "{token} from {src} to {dst} came after {before}");
        }
    }
}

#[test]
fn saturating_traffic_drains_on_every_topology() {
    for topology in topologies().into_iter().chain(chosen_on_the_way()) {
        for (vcs, per_vc, balanced) in [(2, false, false), (2, true, true), (4, false, true)] {
            let nodes = fabric(&topology).nodes();
            let sent = transfers(nodes, 60 * nodes, 11);
            let vcs = enough_vcs(&topology, vcs);
            let parameters = tight(vcs, per_vc, balanced, "flit");
            let happened = happenings(&topology, &parameters, &sent);
            assert_everything_arrives_in_order(&sent, &happened);
        }
    }
}

#[test]
fn the_same_input_gives_the_same_bits() {
    let torus = json!({"kind": "torus", "ties": "plus", "sizes": [4, 4]});
    for topology in [torus].into_iter().chain(chosen_on_the_way()) {
        let sent = transfers(fabric(&topology).nodes(), 800, 5);
        let parameters = tight(4, false, true, "packet");
        let first = happenings(&topology, &parameters, &sent);
        assert_eq!(first, happenings(&topology, &parameters, &sent), "{topology}");
    }
}

#[test]
fn time_that_passes_in_steps_is_the_same_time() {
    let mesh = json!({"kind": "mesh", "sizes": [3, 3]});
    for topology in [mesh].into_iter().chain(chosen_on_the_way()) {
        let sent = transfers(fabric(&topology).nodes(), 300, 5);
        let parameters = tight(enough_vcs(&topology, 2), false, false, "flit");
        let expected = happenings(&topology, &parameters, &sent);
        assert_eq!(in_steps(network(&topology, parameters), &sent), expected, "{topology}");
    }
}

/// All that happens, in short steps of time.
fn in_steps(mut network: Network<Nobody>, sent: &[Transfer]) -> Vec<(Time, Happening)> {
    let (mut happened, mut found, mut limit) = (Vec::new(), Vec::new(), 0);
    let mut left = sent.iter().enumerate();
    while !network.is_idle() || left.len() > 0 {
        for (i, &transfer) in left.by_ref().take(2) {
            network.send(i as Time * 1_000, transfer);
        }
        limit = if left.len() > 0 { limit + 2_000 } else { limit + 777 };
        loop {
            let at = network.advance(limit - 1, &mut found);
            if found.is_empty() {
                break;
            }
            happened.extend(found.drain(..).map(|happening| (at, happening)));
        }
    }
    happened
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_traffic_arrives_in_order(
        shape in 0_usize..17,
        vcs in 1_u64..4,
        per_vc: bool,
        balanced: bool,
        unit in 0_usize..3,
        count in 1_u32..200,
        seed: u64,
    ) {
        let topology = &[topologies(), chosen_on_the_way()].concat()[shape];
        let unit = ["flit", "packet", "message"][unit];
        let sent = transfers(fabric(topology).nodes(), count, seed);
        let vcs = enough_vcs(topology, 2 * vcs);
        let happened = happenings(topology, &tight(vcs, per_vc, balanced, unit), &sent);
        assert_everything_arrives_in_order(&sent, &happened);
        prop_assert!(happened.is_sorted_by_key(|&(at, _)| at));
        prop_assert!(happened.iter().all(|&(at, _)| at < NEVER));
    }
}
