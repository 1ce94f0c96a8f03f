//! Networks whose times whole picoseconds in 64 bits cannot hold are refused before they are built.

mod network_common;

use mpi::Transport;
use network_common::{arrival, data, network, parameters, plain, run};
use serde_json::{Value, json};

/// What is wrong with the plain network and other values in it.
fn refused(changed: Value) -> String {
    let mut network = plain();
    for (key, value) in changed.as_object().unwrap() {
        network[key] = value.clone();
    }
    parameters(network).check().unwrap_err()
}

#[test]
fn a_flit_takes_at_least_10_ps() {
    let told = refused(json!({"bandwidth_bytes_per_s": 1e14}));
    assert!(
        told.contains("network.bandwidth_bytes_per_s is 1e14, must be at most 1.6e12"),
        "{told}"
    );
    let mut network = plain();
    network["bandwidth_bytes_per_s"] = json!(1.6e12);
    parameters(network).check().unwrap();
}

#[test]
fn a_packet_takes_at_most_1_s_on_links_and_in_memory() {
    let bandwidth = refused(json!({"bandwidth_bytes_per_s": 2e3}));
    assert!(bandwidth.contains("network.bandwidth_bytes_per_s is 2000, must be at least 2048"));
    let dma = refused(json!({"nic": {"dma_bytes_per_s": 1.0}}));
    assert!(dma.contains("network.nic.dma_bytes_per_s is 1, must be at least 2048"), "{dma}");
    let memory = refused(json!({"nic": {"memory_bytes_per_s": 0.0}}));
    assert!(memory.contains("network.nic.memory_bytes_per_s is 0, must be"), "{memory}");
}

#[test]
fn delays_are_at_most_1_s() {
    for (key, part) in [
        ("latency_s", json!({"latency_s": 1e9})),
        ("cables.cable_s", json!({"cables": {"cable_s": 2.0}})),
        ("software.put_s", json!({"software": {"put_s": 172_800.0}})),
        ("router.switch_s", json!({"router": {"switch_s": -1e-9}})),
    ] {
        let told = refused(part);
        assert!(told.starts_with(&format!("network.{key} is ")), "{told}");
        assert!(told.ends_with("must be within 0..1 s"), "{told}");
    }
}

/// Memory faster than a byte per picosecond costs no time, as memory without limit.
#[test]
fn memory_may_be_as_fast_as_one_likes() {
    let mut network = plain();
    network["nic"] = json!({"dma_bytes_per_s": 1e15, "memory_bytes_per_s": 1e18});
    parameters(network).check().unwrap();
}

/// At the lowest bandwidth times are exact: a second for a packet.
#[test]
fn the_slowest_network_takes_a_second_for_each_packet() {
    let slow = json!({"bandwidth_bytes_per_s": 2048.0});
    for (bytes, expected_s) in [(2048, 1), (1 << 20, 512)] {
        let mut network = network(&json!({"kind": "crossbar", "nodes": 2}), slow.clone());
        network.send(0, data(0, 1, bytes, 0));
        assert_eq!(arrival(&run(&mut network), 0), expected_s * 1_000_000_000_000);
    }
}
