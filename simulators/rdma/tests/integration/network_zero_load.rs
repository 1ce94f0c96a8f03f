//! One message alone: closed forms to the picosecond.

use crate::network_common::*;
use mpi::time::{Time, from_seconds, of_bytes};
use mpi::{Happening, Transport};
use serde_json::json;

/// (parameters; head latency of a router; cable; injection cable; DMA of a 100-byte message on both
/// sides; time of its packet on a channel; delay at the source).
fn cases() -> Vec<(serde_json::Value, [Time; 6])> {
    let ns = |ns: f64| from_seconds(ns * 1e-9);
    let mut staged = opennsim();
    staged["nic"]["dma_unit"] = json!("packet");
    staged["router"]["switch_traversal_s"] = json!(4e-9);
    staged["cables"] = json!({"cable_s": 3e-9});
    vec![
        (opennsim(), [ns(90.0), ns(10.0), 0, 2 * ns(1.0), ns(9.0 * 4.0), 0]),
        // DMA is slower than the channel here: the last of 17 flits of 2 ns waits for it.
        (
            infiniband(),
            [
                ns(140.0),
                ns(0.6),
                ns(0.6),
                2 * (of_bytes(100, 2.8e9) - ns(16.0 * 2.0)),
                ns(17.0 * 2.0),
                0,
            ],
        ),
        (staged, [ns(94.0), ns(3.0), ns(3.0), 2 * of_bytes(100, 16e9), ns(36.0), 0]),
        (plain(), [0, ns(1000.0), 0, 0, ns(7.0 * 128.0), ns(50_000.0)]),
    ]
}

#[test]
fn a_packet_takes_the_sum_of_its_parts_on_every_route() {
    for (parameters, [router, cable, injection, dma, packet, latency]) in cases() {
        for topology in topologies() {
            let fabric = fabric(&topology);
            let mut path = Vec::new();
            for dst in 1..fabric.nodes() {
                let mut network = network(&topology, parameters.clone());
                network.send(1000, data(0, dst, 100, 5));
                let happened = run(&mut network);
                path.clear();
                fabric.route(0, dst, &mut path);
                let routers = path.len() as u64 - 1;
                // Networks without a pipeline have no cable from the last router to the node.
                let ejection = if latency > 0 { 0 } else { cable };
                let cables = injection + (routers - 1) * cable + ejection;
                let expected = 1000 + latency + routers * router + cables + packet + dma;
                assert_eq!(arrival(&happened, 5), expected, "{topology} to {dst}");
            }
        }
    }
}

#[test]
fn opennsim_table_3_takes_its_published_times() {
    // 100 (h + 1) + P/4 + 2 · 16/16 ns, without the 400 ns of the software.
    let topology = json!({"kind": "torus", "ties": "plus", "sizes": [16, 16, 8]});
    for (dst, hops, packet_bytes, ns) in
        [(1, 1, 2048, 712), (8, 8, 2048, 1412), (4 * 256 + 8 * 17, 20, 2048, 2612)]
    {
        let mut network = network(&topology, opennsim());
        network.send(0, data(0, dst, packet_bytes - 32, 0));
        let arrived = arrival(&run(&mut network), 0);
        assert_eq!(arrived, (ns + 2) * 1000, "{hops} hops");
    }
}

#[test]
fn a_put_of_nsim_ace_crosses_one_switch() {
    // 2 · 0.6 + 12 + 128 + (8 + 32)/4 + 2 · 8/2.8 ns.
    let mut network = network(&json!({"kind": "crossbar", "nodes": 16}), infiniband());
    network.send(0, data(3, 9, 8, 0));
    assert_eq!(arrival(&run(&mut network), 0), 1_200 + 12_000 + 128_000 + 10_000 + 2 * 2857);
}

#[test]
fn a_control_packet_needs_no_dma() {
    let mut network = network(&json!({"kind": "crossbar", "nodes": 16}), infiniband());
    network.send(0, control(3, 9, 0, 0));
    let happened = run(&mut network);
    assert_eq!(happened, [(1_200 + 12_000 + 128_000 + 8_000, Happening::Arrived(0))]);
}

#[test]
fn a_control_packet_within_a_node_arrives_at_once() {
    let mut network = network(&json!({"kind": "crossbar", "nodes": 2}), infiniband());
    network.send(0, control(1, 1, 0, 7));
    assert_eq!(run(&mut network), [(0, Happening::Arrived(7))]);
    assert!(network.is_idle());
}

#[test]
fn a_crossbar_without_a_pipeline_obeys_hockney() {
    for bytes in [0_u64, 16, 2048, 65536, 1 << 20] {
        let mut network = network(&json!({"kind": "crossbar", "nodes": 2}), plain());
        network.send(0, data(0, 1, bytes, 0));
        let expected = from_seconds(5e-5) + of_bytes(bytes.max(16), 1.25e8);
        assert_eq!(arrival(&run(&mut network), 0), expected, "{bytes}");
    }
}

#[test]
fn a_long_message_is_limited_by_the_slowest_part() {
    // 65 packets of 2016 bytes: 131,040 bytes.
    let bytes = 65 * 2016;
    let on_wire = 65 * 128 * 4_000;
    for (unit, rate, expected) in [
        ("flit", 16e9, 1_000 + on_wire + 1_000),
        ("packet", 16e9, 126_000 + on_wire + 126_000),
        ("message", 16e9, 8_190_000 + on_wire + 8_190_000),
        ("packet", 1e9, 65 * 2_016_000 + 128 * 4_000 + 2_016_000),
    ] {
        let mut parameters = opennsim();
        parameters["nic"] = json!({"dma_bytes_per_s": rate, "dma_unit": unit});
        parameters["router"] = json!({});
        parameters["cables"] = json!({});
        let mut network = network(&json!({"kind": "crossbar", "nodes": 2}), parameters);
        network.send(0, data(0, 1, bytes, 0));
        assert_eq!(arrival(&run(&mut network), 0), expected, "{unit} {rate}");
    }
}

#[test]
fn a_transfer_within_a_node_crosses_its_memory_only() {
    let mut parameters = opennsim();
    parameters["nic"]["memory_bytes_per_s"] = json!(16e9);
    let mut network = network(&json!({"kind": "crossbar", "nodes": 2}), parameters);
    network.send(0, data(1, 1, 1600, 4));
    network.send(0, data(1, 1, 1600, 5));
    network.send(0, control(1, 1, 0, 6));
    let happened = run(&mut network);
    let times = [4, 5, 6].map(|token| arrival(&happened, token));
    assert_eq!(times, [100_000, 200_000, 200_000]);
    assert_eq!(network.packets(), 0);
}
