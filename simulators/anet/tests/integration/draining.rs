//! No message is lost or doubled under random load.

use crate::common::{cube, data, graph, options, run, try_network};
use mpi::{Happening, Transport};
use programs::SimulatedNetwork;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::HashMap;
use workload::Random;

fn topologies() -> Vec<Value> {
    vec![
        cube(),
        json!({"kind": "mesh", "sizes": [4, 3]}),
        json!({"kind": "torus", "sizes": [4, 4], "ties": "plus"}),
        json!({"kind": "torus", "sizes": [5], "ties": "plus"}),
        graph(&[0, 1, 2, 3, 4, 5, 6], &[(0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6)]),
        // Two links between two routers, a router without a processor, and a host.
        graph(&[0, 1, 2, 0], &[(0, 1), (0, 1), (1, 2), (2, 3), (3, 0)]),
    ]
}

/// How often each transfer arrived; `None` where the network stood still.
fn arrivals(
    topology: &Value,
    options: Value,
    (seed, messages): (u64, u32),
) -> Option<HashMap<u32, u32>> {
    let mut network = try_network(topology, options).unwrap();
    let nodes = crate::common::fabric(topology).unwrap().nodes();
    let mut random = Random::new(seed);
    let mut sent = 0;
    for token in 0..messages {
        let (src, dst) = (random.below(nodes), random.below(nodes));
        let (at, bytes) = (u64::from(random.below(20_000_000)), random.below(400));
        network.send(at, data(src, dst, bytes.into(), token));
        sent += if src == dst { 0 } else { u64::from(bytes.max(35)) };
    }
    let all = match run(&mut network) {
        Ok(all) => all,
        Err(text) => {
            assert!(text.starts_with("deadlock at "), "{text}");
            assert!(text.contains(" waits at ") && text.contains(", held by "), "{text}");
            return None;
        }
    };
    assert_eq!((0..nodes).map(|node| network.channel_bytes(node)).sum::<u64>(), sent);
    let mut arrived: HashMap<u32, u32> = HashMap::new();
    for (_, happening) in &all {
        if let Happening::Arrived(token) = happening {
            *arrived.entry(*token).or_default() += 1;
        }
    }
    let heads = all.iter().filter(|(_, h)| matches!(h, Happening::HeadArrived(_))).count();
    assert!(heads <= messages as usize);
    Some(arrived)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200, failure_persistence: None, ..ProptestConfig::default()
    })]

    /// With a packet buffer for all of them, every message arrives once.
    #[test]
    fn every_message_arrives_once(
        topology in prop::sample::select(topologies()),
        choice in prop::sample::select(vec!["first_free", "random_free", "fixed"]),
        duplex in prop::sample::select(vec!["half", "full"]),
        turns in 1_u32..4,
        seed in 0_u64..1000,
        messages in 1_u32..300,
    ) {
        let mut options = options();
        options["packet_buffer_bytes"] = Value::Null;
        for (key, value) in [("choice", json!(choice)), ("duplex", json!(duplex)), ("turns", json!(turns))] {
            options[key] = value;
        }
        let arrived = arrivals(&topology, options, (seed, messages));
        let arrived = arrived.expect("unlimited buffers never stand still");
        prop_assert_eq!(arrived.len(), messages as usize);
        prop_assert!(arrived.values().all(|&times| times == 1));
    }

    /// With any packet buffer every message arrives once, or the run says who waits for what.
    #[test]
    fn a_small_packet_buffer_loses_nothing(
        topology in prop::sample::select(topologies()),
        buffer in prop::sample::select(vec![0_u64, 35, 100, 400, 1000, 16384]),
        when_full in prop::sample::select(vec!["ask_both", "ask_buffer"]),
        seed in 0_u64..1000,
        messages in 1_u32..300,
    ) {
        let mut options = options();
        options["packet_buffer_bytes"] = json!(buffer);
        options["when_full"] = json!(when_full);
        if let Some(arrived) = arrivals(&topology, options, (seed, messages)) {
            prop_assert_eq!(arrived.len(), messages as usize);
            prop_assert!(arrived.values().all(|&times| times == 1));
        }
    }

    /// The same seed gives the same times.
    #[test]
    fn a_run_can_be_repeated(seed in 0_u64..1000) {
        let once = || {
            let mut options = options();
            options["choice"] = json!("random_free");
            let mut network = try_network(&cube(), options).unwrap();
            let mut random = Random::new(seed);
            for token in 0..100 {
                network.send(0, data(random.below(16), random.below(16), 100, token));
            }
            run(&mut network).unwrap()
        };
        prop_assert_eq!(once(), once());
    }
}
