//! Networks whose times whole picoseconds in 64 bits cannot hold are refused before they are built.

use crate::network_common::{arrival, data, fabric, network, parameters, plain, run};
use mpi::time::NEVER;
use mpi::{Nobody, Transport};
use programs::Parameters;
use proptest::prelude::*;
use rdma::network::Network;
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
    let error = refused(json!({"bandwidth_bytes_per_s": 1e14}));
    assert!(
        error.contains("network.bandwidth_bytes_per_s is 1e14, must be at most 1.6e12"),
        "{error}"
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
        let error = refused(part);
        assert!(error.starts_with(&format!("network.{key} is ")), "{error}");
        assert!(error.ends_with("must be within 0..1 s"), "{error}");
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

/// Values at limits, absurd ones, and some that are no numbers.
fn any_value() -> impl Strategy<Value = Value> {
    let edges = [0.0, 1.0, 16.0, 2048.0, 1e9, 1.6e12, 1e15, 1e300, -1.0, 1e-12, 1e-9, 0.5];
    let counts = [0, 1, 2, 3, 16, 63, 64, 65, 2048, 8192, u64::from(u32::MAX), 1 << 62, u64::MAX];
    prop_oneof![
        4 => prop::sample::select(edges.to_vec()).prop_map(Value::from),
        4 => prop::sample::select(counts.to_vec()).prop_map(Value::from),
        2 => (0_u64..70_000).prop_map(Value::from),
        1 => prop::sample::select(vec![json!(null), json!("2"), json!([]), json!("packet")]),
    ]
}

const KEYS: [&str; 22] = [
    "bandwidth_bytes_per_s",
    "latency_s",
    "hop_latency_s",
    "packet.mtu_bytes",
    "packet.header_bytes",
    "packet.control_bytes",
    "packet.flit_bytes",
    "router.routing_s",
    "router.vc_allocation_s",
    "router.switch_allocation_s",
    "router.switch_traversal_s",
    "router.switch_s",
    "router.virtual_channels",
    "router.vc_buffer_bytes",
    "cables.cable_s",
    "cables.injection_s",
    "nic.dma_bytes_per_s",
    "nic.memory_bytes_per_s",
    "nic.dma_unit",
    "software.send_overhead_s",
    "software.receive_overhead_s",
    "software.put_s",
];

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1024, failure_persistence: None, ..ProptestConfig::default()
    })]
    /// Whatever a network section holds, it is refused with its key, or the network carries messages.
    #[test]
    fn any_network_is_refused_or_carries_messages(
        changed in prop::collection::vec((prop::sample::select(KEYS.to_vec()), any_value()), 1..4),
        bytes in 0_u64..10_000
    ) {
        let mut section = plain();
        for (key, value) in changed {
            match key.split_once('.') {
                Some((part, key)) => section[part][key] = value,
                None => section[key] = value,
            }
        }
        let Ok(parameters) = serde_json::from_value::<Parameters>(section) else { return Ok(()) };
        let torus = fabric(&json!({"kind": "torus", "ties": "plus", "sizes": [3, 2]}));
        let refused = match parameters.check() {
            Ok(()) => Network::new(&torus, &parameters, 1, Nobody).err(),
            Err(error) => Some(error),
        };
        if let Some(error) = refused {
            prop_assert!(error.starts_with("network."), "{}", error);
            return Ok(());
        }
        let mut network = Network::new(&torus, &parameters, 1, Nobody).unwrap();
        for (token, (src, dst)) in [(0, 5), (5, 0), (0, 5)].into_iter().enumerate() {
            network.send(0, data(src, dst, bytes, token as u32));
        }
        let happenings = run(&mut network);
        let first = arrival(&happenings, 0);
        let link_s = bytes as f64 / parameters.bandwidth_bytes_per_s;
        prop_assert!(first < NEVER && first as f64 >= link_s * 1e12 * 0.9, "{} {}", first, link_s);
    }
}
