//! One message of a program alone: closed forms to the picosecond.

use crate::flits::*;
use mpi::Transport;
use mpi::time::{Time, of_bytes};
use programs::SimulatedNetwork;
use serde_json::json;

/// Time of one message of `bytes` that is handed over at `start`, and the routers on its way.
fn alone(made: &mut Made, dst: u32, bytes: u64, start: Time) -> (Time, u64) {
    let network = &mut made.network;
    let before = count(network, "packet_hops");
    let packets = count(network, "packets");
    network.send(start, data(0, dst, bytes, 5));
    let arrived = arrival(&run(network), 5);
    let packets = count(network, "packets") - packets;
    (arrived, (count(network, "packet_hops") - before) / packets)
}

fn count(network: &impl SimulatedNetwork, name: &str) -> u64 {
    network.counts().iter().find(|(known, _)| *known == name).unwrap().1
}

#[test]
fn a_packet_takes_the_cycles_of_its_way_on_every_topology_and_routing() {
    for (topology, vcs) in topologies() {
        for (routing, delays) in [(1, [1, 1, 1]), (2, [3, 1, 4])] {
            let [vc, switch, traversal] = delays;
            let options = json!({
                "virtual_channels": vcs, "vc_buffer_flits": 16, "routing_delay_cycles": routing,
                "vc_allocation_delay_cycles": vc, "switch_allocation_delay_cycles": switch,
                "switch_traversal_delay_cycles": traversal, "channel_latency_cycles": 3,
                "injection_latency_cycles": 2, "ejection_latency_cycles": 5,
                "wait_for_tail_credit": true,
            });
            let mut made = made(&topology, &plain(), &options);
            for dst in 1..6 {
                for (bytes, packet_flits) in [(0, 1), (16, 1), (17, 2), (64, 4)] {
                    // Later than all before it, and between two cycles.
                    let start = 1_000_000 * (u64::from(dst) * 100 + bytes) + 1;
                    let (arrived, routers) = alone(&mut made, dst, bytes, start);
                    let router = routing + vc + switch + traversal;
                    let cycles = 2 + routers * router + (routers - 1) * 3 + 5 + packet_flits;
                    let begin = start.next_multiple_of(CYCLE);
                    assert_eq!(arrived, begin + cycles * CYCLE, "{topology} to {dst}: {bytes} B");
                }
            }
        }
    }
}

/// Messages of whole packets, of full size but for the last: the flits of all follow each other.
#[test]
fn a_message_of_several_packets_takes_its_flits_one_after_the_other() {
    let options = json!({"virtual_channels": 4, "vc_buffer_flits": 16, "packet_flits": 8});
    let mut network = plain();
    network["packet"] = json!({"mtu_bytes": 128, "header_bytes": 28, "flit_bytes": 16});
    for (bytes, flits) in [(100, 8), (101, 8 + 2), (800, 64), (804, 64 + 2), (1000, 80)] {
        let mut made = made(&json!({"kind": "mesh", "sizes": [8]}), &network, &options);
        let (arrived, routers) = alone(&mut made, 7, bytes, 0);
        assert_eq!(arrived, (2 + 5 * routers + flits - 1) * CYCLE, "{bytes} B");
        assert_eq!(made.network.channel_bytes(0), flits * 16);
        assert_eq!(made.network.channel_busy(0), flits * CYCLE);
    }
}

#[test]
fn dma_adds_what_it_finishes_before_it_goes_on() {
    let options = json!({"virtual_channels": 2, "vc_buffer_flits": 16, "packet_flits": 8});
    let network = |unit: &str| {
        let mut network = plain();
        network["nic"] = json!({"dma_bytes_per_s": 2e9, "dma_unit": unit});
        network
    };
    let wire = |flits: u64| (2 + 5 * 2 + flits - 1) * CYCLE;
    let dma = |bytes| of_bytes(bytes, 2e9);
    // 120 B are a packet; 240 B are two, which a DMA at half the rate of the link holds up.
    for (unit, bytes, expected) in [
        ("packet", 120, 2 * dma(120) + wire(8)),
        ("message", 120, 2 * dma(120) + wire(8)),
        // The last flit leaves when it is read, and is written a flit's time after it is there.
        ("flit", 120, dma(120) + wire(1) + dma(120) - 7 * CYCLE),
        ("message", 240, 2 * dma(240) + wire(15)),
    ] {
        let mut made = made(&json!({"kind": "mesh", "sizes": [2]}), &network(unit), &options);
        let (arrived, _) = alone(&mut made, 1, bytes, 0);
        assert_eq!(arrived, expected, "{bytes} B by {unit}");
    }
}

#[test]
fn a_latency_delays_data_and_no_control_packets() {
    let mut network = plain();
    network["latency_s"] = json!(1e-6);
    network["hop_latency_s"] = json!(10e-9);
    let mut made = made(&json!({"kind": "mesh", "sizes": [2]}), &network, &json!({}));
    // A hop of 10 ns takes three cycles of 4 ns.
    let wire = (2 + 4 * 2 + 3 + 1) * CYCLE;
    let (arrived, _) = alone(&mut made, 1, 16, 0);
    assert_eq!(arrived, 1_000_000 + wire);
    made.network.send(2_000_000, control(0, 1, 6));
    assert_eq!(arrival(&run(&mut made.network), 6), 2_000_000 + wire);
}

#[test]
fn transfers_within_a_node_cross_its_memory_one_after_the_other() {
    let mut network = plain();
    network["nic"] = json!({"memory_bytes_per_s": 1e9});
    let mut made = made(&json!({"kind": "mesh", "sizes": [2]}), &network, &json!({}));
    made.network.send(0, data(1, 1, 1000, 1));
    made.network.send(0, control(1, 1, 2));
    made.network.send(0, data(1, 1, 500, 3));
    let happened = run(&mut made.network);
    // What is ordered waits for what was handed over before it.
    assert_eq!([1, 2, 3].map(|t| arrival(&happened, t)), [1_000_000, 1_000_000, 1_500_000]);
    assert_eq!(count(&made.network, "messages_held"), 1);
}

/// Sums of delays, and so times, are those of the network where they are whole cycles.
#[test]
fn a_network_with_a_pipeline_takes_its_own_times() {
    let opennsim = json!({
        "bandwidth_bytes_per_s": 4e9,
        "packet": {"mtu_bytes": 2048, "header_bytes": 32, "flit_bytes": 16},
        "router": {"routing_s": 4e-9, "vc_allocation_s": 4e-9, "switch_allocation_s": 4e-9,
                   "switch_s": 78e-9, "virtual_channels": 2, "vc_buffer_bytes": 8192},
        "cables": {"cable_s": 10e-9, "injection_s": 0.0},
        "nic": {"dma_bytes_per_s": 16e9, "dma_unit": "flit"},
        "latency_s": 1e-3, "hop_latency_s": 1e-3,
    });
    let torus = json!({"kind": "torus", "sizes": [16, 16, 8], "ties": "plus"});
    // 100 (h + 1) + P/4 + 2 · 16/16 ns. What DMA has ready after 1 ns leaves with the cycle at 4 ns.
    for (dst, hops, packet_bytes) in [(1, 1, 2048), (8, 8, 2048), (4 * 256 + 8 * 17, 20, 1024)] {
        let mut made = made(&torus, &opennsim, &json!({}));
        let (arrived, routers) = alone(&mut made, dst, packet_bytes - 32, 0);
        assert_eq!(routers, hops + 1);
        assert_eq!(arrived, 100_000 * (hops + 1) + packet_bytes * 250 + 4_000 + 1_000);
    }
}

/// Delays that are no whole cycles are rounded as sums, so that no error grows with the way.
#[test]
fn a_pipeline_is_off_by_a_cycle_for_each_hop_at_most() {
    let infiniband = json!({
        "bandwidth_bytes_per_s": 4e9,
        "packet": {"mtu_bytes": 2048, "header_bytes": 32, "flit_bytes": 8},
        "router": {"routing_s": 4e-9, "vc_allocation_s": 4e-9, "switch_allocation_s": 4e-9,
                   "switch_s": 128e-9, "virtual_channels": 2, "vc_buffer_bytes": 8192},
        "cables": {"cable_s": 0.6e-9},
    });
    for hops in 1..8_u32 {
        let mut made = made(&json!({"kind": "mesh", "sizes": [8]}), &infiniband, &json!({}));
        let (arrived, routers) = alone(&mut made, hops, 8, 0);
        let exact = 600 + routers * 140_600 + 10_000;
        assert!(arrived.abs_diff(exact) <= 2_000 * routers / 2 + 2_000, "{arrived} for {exact}");
    }
}

/// What is idle costs nothing, and comes back with all its buffers empty.
#[test]
fn a_network_sleeps_until_something_is_handed_over() {
    let mut made = made(&json!({"kind": "mesh", "sizes": [4]}), &plain(), &json!({}));
    let late = 1_000_000_000_000_000;
    let (arrived, routers) = alone(&mut made, 3, 64, late);
    assert_eq!(arrived, late + (2 + 5 * routers + 3) * CYCLE);
    made.network.send(2 * late, data(0, 0, 0, 1));
    run(&mut made.network);
    assert_eq!(made.network.advance(3 * late, &mut vec![]), 3 * late);
    assert!(made.network.is_restored());
}
