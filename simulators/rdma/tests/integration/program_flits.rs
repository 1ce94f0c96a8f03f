//! The same programs on this network and on that of `packet`, flit by flit, with the same parameters.

use crate::network_common::*;
use mpi::abi::{Host, table};
use mpi::time::Time;
use mpi::{Machine, Nobody, Protocol, Transport, drive};
use packet::program::Flits;
use programs::{Engine, Parameters};
use ranks::Ranks;
use rdma::network::Network;
use serde_json::{Value, json};
use std::ptr::null_mut;

const WORLD: i32 = 1;
const BYTE: i32 = 1 << 16 | 1;
/// Of a flit of 16 B at 4 GB/s.
const CYCLE: Time = 4_000;

/// A cycle for each stage and each cable, and NICs that cost nothing or as much as given.
pub fn machine(nic: Value) -> Value {
    json!({
        "bandwidth_bytes_per_s": 4e9,
        "packet": {"mtu_bytes": 256, "header_bytes": 16, "control_bytes": 8, "flit_bytes": 16},
        "router": {"routing_s": 4e-9, "vc_allocation_s": 4e-9, "switch_allocation_s": 4e-9,
                   "switch_traversal_s": 4e-9, "virtual_channels": 2, "vc_buffer_bytes": 512,
                   "crossbar_inputs": "per_port", "torus_classes": "dateline"},
        "cables": {"cable_s": 4e-9, "injection_s": 4e-9},
        "nic": nic,
    })
}

/// Virtual cut-through, and a switch that a packet holds until it is through.
pub fn options() -> Value {
    json!({
        "virtual_channels": 1, "vc_buffer_flits": 1, "routing_delay_cycles": 9,
        "vc_allocation_delay_cycles": 9, "switch_allocation_delay_cycles": 9,
        "switch_traversal_delay_cycles": 9, "credit_delay_cycles": 0, "speculative": false,
        "switching": "virtual_cut_through", "vc_allocator": "islip", "switch_allocator": "islip",
        "allocator_iterations": 2, "arbiter": "round_robin", "wait_for_tail_credit": false,
        "hold_switch_for_packet": true, "channel_latency_cycles": 1,
        "injection_latency_cycles": 1, "ejection_latency_cycles": 1, "class_latency_cycles": {},
        "packet_flits": 1, "flit_bytes": 1, "torus_classes": "dateline", "warmup_cycles": null,
        "measure_cycles": 1, "drain_cycles": 1, "max_cycles": 1, "confidence": 0.95,
        "tables": [], "series_interval_cycles": 100,
    })
}

fn time<T: Transport + 'static>(
    transport: T,
    parameters: &Parameters,
    ranks: u32,
    program: impl Fn(&Host, i32) + 'static,
) -> Time {
    let host = table::<T, Nobody>();
    let body = move |rank: u32| {
        program(host, rank as i32);
        0
    };
    let protocol = Protocol { eager_limit_bytes: 2048, ..parameters.costs() };
    let mut stacks = Ranks::new(body, ranks, 1 << 18).unwrap();
    let nodes = (0..ranks).collect();
    drive(&mut Machine::new(transport, Nobody, nodes, protocol), &mut stacks).unwrap()
}

/// Times by both, packets first.
fn times<P>(topology: &Value, network: &Value, program: P) -> (Time, Time)
where
    P: Fn(&Host, i32) + Clone + 'static,
{
    let fabric = fabric(topology);
    let mut network = network.clone();
    network["router"]["virtual_channels"] = json!(enough_vcs(topology, 2));
    let mut given = network.as_object().unwrap().clone();
    let mut options = options();
    options["wait_for_tail_credit"] = json!(fabric.routing().needs_own_buffers);
    let flits = Flits::read(options.as_object().unwrap(), &mut given).unwrap();
    let parameters = parameters(network);
    let ranks = fabric.nodes();
    let packets = Network::new(&fabric, &parameters, 3, Nobody).unwrap();
    let packets = time(packets, &parameters, ranks, program.clone());
    let flits = flits.network(&fabric, &parameters, 3, Nobody).unwrap();
    (packets, time(flits, &parameters, ranks, program))
}

/// Rank 0 and the last one send to and fro.
fn ping_pong(host: &Host, rank: i32, ranks: i32, bytes: i32) {
    let other = ranks - 1 - rank;
    if rank != 0 && other != 0 {
        return;
    }
    for turn in 0..4 {
        match (turn + i32::from(rank > 0)) % 2 {
            0 => _ = (host.send)(null_mut(), bytes, BYTE, other, 0, WORLD),
            _ => _ = (host.recv)(null_mut(), bytes, BYTE, other, 0, WORLD, null_mut()),
        }
    }
}

#[test]
fn messages_that_meet_nobody_take_the_same_time() {
    for topology in topologies() {
        for nic in [json!({}), json!({"dma_bytes_per_s": 16e9, "memory_bytes_per_s": 16e9})] {
            for bytes in [0, 8, 240, 1000, 2000, 5000] {
                let exact = nic.get("dma_bytes_per_s").is_none();
                let (packets, flits) = times(&topology, &machine(nic.clone()), {
                    let ranks = fabric(&topology).nodes() as i32;
                    move |host, rank| ping_pong(host, rank, ranks, bytes)
                });
                // What comes between two cycles leaves with the next: once for each message, of which
                // a rendezvous has three.
                let late = if exact { 0 } else { 4 * 3 * CYCLE };
                assert!(
                    (packets..=packets + late).contains(&flits),
                    "{topology}, {bytes} B: {flits} flit by flit, {packets} packet by packet"
                );
            }
        }
    }
}

/// Every rank sends several messages to all others at once, in an order of its own. Where all kept
/// the same order, a little drift would decide how much they meet.
fn flood(host: &Host, rank: i32, ranks: i32, bytes: i32, seed: u64) {
    let count = ROUNDS * (ranks - 1);
    let mut draw = Draw(seed << 32 | rank as u64);
    let mut order: Vec<i32> = (0..count).map(|step| step % (ranks - 1) + 1).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, draw.below(last as u64 + 1) as usize);
    }
    let mut requests = vec![0; 2 * count as usize];
    for (at, step) in order.iter().enumerate() {
        let (to, from) = ((rank + step) % ranks, (rank + ranks - step) % ranks);
        (host.irecv)(null_mut(), bytes, BYTE, from, 0, WORLD, &mut requests[at]);
        (host.isend)(null_mut(), bytes, BYTE, to, 0, WORLD, &mut requests[count as usize + at]);
    }
    (host.waitall)(2 * count, requests.as_mut_ptr(), null_mut());
}

const ROUNDS: i32 = 6;

#[test]
fn floods_of_messages_take_the_same_time_within_3_percent() {
    let topologies = [
        json!({"kind": "crossbar", "nodes": 16}),
        json!({"kind": "mesh", "sizes": [4, 4]}),
        json!({"kind": "torus", "sizes": [4, 4], "ties": "plus"}),
        json!({"kind": "hypercube", "dimensions": 4}),
        json!({"kind": "fat_tree", "k": 4, "levels": 2}),
        json!({"kind": "dragonfly", "p": 1, "a": 4, "h": 1}),
        json!({"kind": "fat_tree", "k": 4, "levels": 2, "routing": "anca"}),
        json!({"kind": "hypercube", "dimensions": 4, "routing": "minimal_adaptive"}),
        json!({"kind": "dragonfly", "p": 1, "a": 4, "h": 1, "routing": "ugal"}),
    ];
    let mut worst = Vec::new();
    for topology in topologies {
        // The last are sent after a rendezvous.
        for (bytes, seeds) in [(8, 2), (960, 8), (2400, 8)] {
            let ranks = fabric(&topology).nodes() as i32;
            let (mut packets, mut flits) = (0, 0);
            for seed in 1..=seeds {
                let both = times(&topology, &machine(json!({})), move |host, rank| {
                    flood(host, rank, ranks, bytes, seed);
                });
                packets += both.0;
                flits += both.1;
            }
            let ratio = packets as f64 / flits as f64;
            println!("{topology} {bytes} B: {:+.1} %", 100.0 * (ratio - 1.0));
            if (ratio - 1.0).abs() > 0.03 {
                worst.push(format!("{topology}, {bytes} B: {ratio:.3}"));
            }
        }
    }
    assert!(worst.is_empty(), "{worst:#?}");
}
