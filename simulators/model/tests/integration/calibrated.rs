//! Networks with costs by size: without contention, simulators take exactly what was measured, and so
//! do the cost models.

use crate::common::{formula_on, formula_with, on_network, options};
use engine::{Metric, TimesBySize};
use serde_json::{Value, json};

const SIZES: [u64; 9] = [0, 1, 100, 1024, 1025, 16_384, 16_385, 100_000, 4_000_000];

/// A jump behind 1 KiB, a rendezvous with another one behind 16 KiB.
fn times(start_ns: f64, jump_ns: f64, byte_ns: f64) -> Value {
    let piece = |from: u64, ns: f64, byte_ns: f64| json!({"from_bytes": from, "time_s": ns * 1e-9, "byte_time_s": byte_ns * 1e-9});
    json!([
        piece(0, start_ns, byte_ns),
        piece(1025, start_ns + jump_ns + 1024.0 * byte_ns, 0.7 * byte_ns),
        piece(16_385, start_ns + 3.0 * jump_ns + 16_384.0 * byte_ns, 0.9 * byte_ns),
    ])
}

fn between_nodes() -> Value {
    json!({"eager_limit_bytes": 16_384, "one_way": times(400.0, 300.0, 0.12),
           "two_way": times(600.0, 500.0, 0.2),
           "gap": times(250.0, 200.0, 0.08), "duplex": times(350.0, 300.0, 0.12),
           "sent": times(150.0, 200.0, 0.08), "copying": times(50.0, 10.0, 0.05),
           "put": times(900.0, 400.0, 0.13)})
}

fn network() -> Value {
    json!({"bandwidth_bytes_per_s": 5e9, "latency_s": 7e-7, "hop_latency_s": 0.0,
           "costs": {"link_bandwidth_bytes_per_s": 10e9, "link_latency_s": 2e-7,
                     "between_nodes": between_nodes()}})
}

fn curve(name: &str) -> TimesBySize {
    serde_json::from_value(between_nodes()[name].clone()).unwrap()
}

fn value(metrics: &[Metric], name: &str, bytes: u64) -> f64 {
    let found = metrics.iter().find(|m| m.metric == name && m.message_bytes == Some(bytes));
    found.unwrap_or_else(|| panic!("no {name} of {bytes} B in {metrics:?}")).value
}

fn pingpong() -> Value {
    json!({"kind": "program", "program": "pingpong", "ranks": 2, "message_bytes": SIZES})
}

#[test]
fn a_simulated_ping_pong_takes_what_was_measured() {
    for simulator in ["flow", "rdma"] {
        let found = on_network(simulator, &pingpong(), &network());
        for (metric, curve) in [
            ("one_way_time_s", curve("one_way")),
            ("exchange_time_s", curve("two_way")),
            ("put_time_s", curve("put")),
        ] {
            for bytes in SIZES {
                let (is, wanted) = (value(&found, metric, bytes), curve.seconds(bytes));
                // A rendezvous waits for the rank that leaves the barrier before it later.
                let is_late = metric == "exchange_time_s" && bytes > 16_384;
                let apart = if is_late { 100e-9 } else { 0.0 };
                assert!(
                    (wanted - 2e-12..=wanted + apart + 2e-12).contains(&is),
                    "{simulator}: {metric} of {bytes} B is {is}, not {wanted}"
                );
            }
        }
    }
}

/// Longer messages wait for the link, which carries one after the other, or for their receive.
#[test]
fn a_simulated_stream_of_messages_takes_the_gap() {
    let found = on_network("flow", &pingpong(), &network());
    for bytes in SIZES.into_iter().filter(|bytes| *bytes <= 1025) {
        let (is, wanted) = (value(&found, "gap_time_s", bytes), curve("gap").seconds(bytes));
        assert!((is - wanted).abs() < 2e-12, "gap of {bytes} B is {is}, not {wanted}");
    }
}

/// What is measured of the simulated ping-pong is what went into it, so that a machine of known truth can
/// be calibrated.
#[test]
fn a_simulated_ping_pong_measures_its_send_its_copy_and_two_streams() {
    let found = on_network("flow", &pingpong(), &network());
    for bytes in SIZES {
        for (metric, name) in [("sent_time_s", "sent"), ("copy_time_s", "copying")] {
            // The links of this network carry a rendezvous for longer than its call was measured.
            if metric == "sent_time_s" && bytes > 16_384 {
                continue;
            }
            let (is, wanted) = (value(&found, metric, bytes), curve(name).seconds(bytes));
            assert!((is - wanted).abs() < 2e-12, "{metric} of {bytes} B is {is}, not {wanted}");
        }
    }
    // 16 messages wait for the first to arrive, beside the gaps.
    for bytes in SIZES.into_iter().filter(|bytes| *bytes <= 1024) {
        let is = value(&found, "duplex_time_s", bytes);
        let apart = curve("duplex").seconds(bytes);
        let first = curve("two_way").seconds(bytes);
        assert!((apart..=apart + first / 16.0 + 1e-12).contains(&is), "{bytes} B: {is}, {apart}");
    }
}

fn all_to_all(ranks: u64) -> Value {
    json!({"kind": "program", "program": "alltoall", "ranks": ranks, "message_bytes": [1000]})
}

fn network_without(name: &str) -> Value {
    let mut network = network();
    let curves = &mut network["costs"]["between_nodes"];
    curves.as_object_mut().unwrap().remove(name);
    network
}

#[test]
fn a_rank_copies_its_own_block_of_an_all_to_all() {
    for simulator in ["flow", "rdma", "piecewise"] {
        let [with, without] = [network(), network_without("copying")].map(|network| {
            let found = match simulator {
                "piecewise" => formula_on(simulator, &all_to_all(8), &network),
                _ => on_network(simulator, &all_to_all(8), &network),
            };
            ["collective_time_s", "pairwise_time_s"].map(|name| value(&found, name, 1000))
        });
        for (with, without) in with.into_iter().zip(without) {
            let copied = with - without;
            let wanted = curve("copying").seconds(1000);
            assert!((copied - wanted).abs() < 2e-12, "{simulator}: {copied}");
        }
    }
}

/// Messages of an all-to-all cross others, which the gap of one stream does not know.
#[test]
fn the_piecewise_model_of_messages_that_cross_takes_two_streams() {
    let linear = |network: &Value| {
        let mut options = options("piecewise");
        options["alltoall_algorithm"] = json!("linear");
        let found = formula_with(&options, &all_to_all(8), network);
        value(&found, "collective_time_s", 1000) - curve("copying").seconds(1000)
    };
    let both = curve("two_way").seconds(1000);
    let wanted = both + 6.0 * curve("duplex").seconds(1000);
    assert!((linear(&network()) - wanted).abs() < 1e-12);
    // As before where it was not measured.
    let wanted = curve("one_way").seconds(1000) + 6.0 * curve("gap").seconds(1000);
    assert!((linear(&network_without("duplex")) - wanted).abs() < 1e-12);
}

#[test]
fn the_piecewise_model_takes_what_was_measured() {
    let found = formula_on("piecewise", &pingpong(), &network());
    for bytes in SIZES {
        assert_eq!(value(&found, "one_way_time_s", bytes), curve("one_way").seconds(bytes));
        assert_eq!(value(&found, "exchange_time_s", bytes), curve("two_way").seconds(bytes));
    }
}

/// A sender that waits to hear that all has arrived ends behind its message: so does the broadcast.
#[test]
fn a_broadcast_of_two_ranks_ends_with_the_call_of_its_root_here_and_in_simulators() {
    let mut network = network();
    network["costs"]["between_nodes"]["sent"] = times(450.0, 310.0, 0.12);
    let sent: TimesBySize = serde_json::from_value(times(450.0, 310.0, 0.12)).unwrap();
    let wanted = [
        (1024, curve("one_way").seconds(1024)),
        (16_385, sent.seconds(16_385)),
        (1_000_000, sent.seconds(1_000_000)),
    ];
    let bcast = json!({"kind": "program", "program": "bcast", "ranks": 2,
                       "message_bytes": wanted.map(|(bytes, _)| bytes)});
    for simulator in ["flow", "rdma", "piecewise"] {
        let found = match simulator {
            "piecewise" => formula_on(simulator, &bcast, &network),
            _ => on_network(simulator, &bcast, &network),
        };
        for (bytes, wanted) in wanted {
            let is = value(&found, "collective_time_s", bytes);
            assert!((is - wanted).abs() < 2e-12, "{simulator}, {bytes} B: {is}, {wanted}");
        }
    }
}

/// Models 2 to 4 of the paper: M is net of S, so that S + n M(n) is the measured time again.
#[test]
fn the_models_of_the_paper_take_their_constants_from_the_costs() {
    for cost in ["model_2", "model_3"] {
        let found = formula_on(cost, &pingpong(), &network());
        for bytes in SIZES {
            for (metric, name) in [("one_way_time_s", "one_way"), ("exchange_time_s", "two_way")] {
                let (is, wanted) = (value(&found, metric, bytes), curve(name).seconds(bytes));
                assert!((is / wanted - 1.0).abs() < 1e-12, "{cost}: {metric} of {bytes} B: {is}");
            }
        }
    }
}

/// Hockney's model keeps the latency and the bandwidth of the network, which were fitted for it.
#[test]
fn costs_change_neither_hockney_nor_the_first_model() {
    let mut plain = network();
    plain.as_object_mut().unwrap().remove("costs");
    let times = |network: &Value| {
        let found = formula_on("hockney", &pingpong(), network);
        SIZES.map(|bytes| value(&found, "one_way_time_s", bytes))
    };
    assert_eq!(times(&network()), times(&plain));
}

#[test]
fn loggp_takes_its_constants_from_the_costs() {
    let mut fitted = network();
    fitted["costs"]["loggp"] =
        json!({"latency_s": 1e-7, "overhead_s": 2e-7, "gap_s": 3e-7, "byte_time_s": 1e-9});
    let found = formula_on("loggp", &pingpong(), &fitted);
    assert!((value(&found, "one_way_time_s", 1025) - (5e-7 + 1024e-9)).abs() < 1e-15);
}

/// All-to-all by exchanges among ranks that nothing else disturbs: what the model adds up is what the
/// network does.
#[test]
fn steps_of_exchanges_add_up() {
    let workload = json!({"kind": "program", "program": "alltoall_pairwise", "ranks": 8,
                          "message_bytes": [20_000]});
    let simulated = value(&on_network("flow", &workload, &network()), "program_time_s", 20_000);
    let formula = value(&formula_on("piecewise", &workload, &network()), "program_time_s", 20_000);
    assert!((simulated / formula - 1.0).abs() < 0.01, "{simulated} and {formula}");
}
