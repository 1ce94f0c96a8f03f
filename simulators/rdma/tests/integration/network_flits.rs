//! The same messages through this network and, flit by flit, through the routers of `packet`.
//!
//! Both have a pipeline of one cycle per stage and cables of one cycle; the cycle is the time of a
//! flit. `packet` switches virtual cut-through, and an input holds the switch for a packet, as here
//! with `crossbar_inputs: per_port`.

use crate::flit_level::{Case, means};
use serde_json::json;

fn cases(load: f64, cycles: u64) -> Vec<Case> {
    let shapes = [
        json!({"kind": "crossbar", "nodes": 8}),
        json!({"kind": "mesh", "sizes": [4, 4]}),
        json!({"kind": "torus", "ties": "plus", "sizes": [4, 4]}),
        json!({"kind": "fat_tree", "k": 4, "levels": 2}),
        json!({"kind": "dragonfly", "p": 2, "a": 2, "h": 1}),
    ];
    let sizes = [(2, 16, 4, vec![4]), (2, 64, 16, vec![16, 40, 5]), (4, 64, 16, vec![16])];
    let mut cases = Vec::new();
    for topology in shapes {
        for (vcs, buffer_flits, packet_flits, messages) in sizes.clone() {
            let topology = topology.clone();
            // Few global channels: it saturates at half of the others' load.
            let load = if topology["kind"] == "dragonfly" { load / 2.0 } else { load };
            cases.push(Case {
                topology,
                vcs,
                buffer_flits,
                packet_flits,
                messages,
                shift: None,
                load,
                cycles,
            });
        }
    }
    cases
}

fn assert_near(case: &Case, what: &str, flits: f64, packets: f64, share: f64) {
    let off = packets / flits - 1.0;
    let Case { topology, vcs, messages, load, .. } = case;
    assert!(
        off.abs() <= share,
        "{topology}, {vcs} virtual channels, messages of {messages:?} flits, load {load}: {what} is \
         {packets}, flit by flit {flits}, {:.2} % off",
        100.0 * off
    );
}

/// The issue asks for 2 %; most are within 0.5 %.
#[test]
fn below_saturation_mean_latencies_are_those_of_flits() {
    for (load, cycles) in [(0.1, 4_000), (0.3, 8_000)] {
        for case in cases(load, cycles) {
            let (flits, packets) = means(&case, 2);
            assert_near(&case, "network latency", flits.network, packets.network, 0.02);
            assert_near(&case, "message time", flits.message, packets.message, 0.02);
        }
    }
}

/// Nearer to saturation queues fluctuate so much that only longer runs distinguish means: 6 of 30,000
/// cycles found the fat tree 0.2 % (standard error 0.1 %) off. The dragonfly, at half the load, was
/// 0.2 % (0.2 %) off; at 0.3, 0.5 % (1.0 %): too uncertain for a test.
#[test]
fn near_saturation_mean_latencies_of_mixed_messages_are_those_of_flits() {
    for case in cases(0.4, 20_000).into_iter().filter(|case| case.messages.len() > 1) {
        let (flits, packets) = means(&case, 3);
        assert_near(&case, "network latency", flits.network, packets.network, 0.02);
        assert_near(&case, "message time", flits.message, packets.message, 0.02);
    }
}

/// The issue asks for 3 %.
#[test]
fn above_saturation_as_many_flits_are_accepted_as_flit_by_flit() {
    for case in cases(1.0, 6_000) {
        let (flits, packets) = means(&case, 2);
        assert_near(&case, "accepted rate", flits.accepted, packets.accepted, 0.03);
    }
}
