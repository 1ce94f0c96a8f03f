//! Closed lists and traces.

use crate::spec::{CYCLE_S, answer, folder, mesh, point, run, with};
use serde_json::{Value, json};

/// A workload whose messages come from a CSV file with these lines.
fn trace(name: &str, lines: &str) -> Value {
    let file = folder(name).join("trace.csv");
    std::fs::write(&file, format!("src,dst,bytes,start_s\n{lines}")).unwrap();
    json!({"kind": "messages", "pattern": "file", "file": file, "outstanding": "all",
           "message_bytes": []})
}

fn messages(pattern: &str, per_node: u32, outstanding: Value) -> Value {
    json!({"kind": "messages", "pattern": pattern, "per_node": per_node, "message_bytes": [64],
           "outstanding": outstanding, "include_self": true})
}

/// Cycles from the departure of a head to the arrival of the tail through `routers` routers in the
/// default pipeline, with channels of one cycle and nothing else on the way.
fn zero_load(routers: u32, flits: u32) -> f64 {
    f64::from(2 + 5 * routers + (flits - 1))
}

#[test]
fn a_packet_of_a_trace_takes_exactly_the_zero_load_latency() {
    // From node 1 at (1, 0) to node 14 at (2, 3): 1 + 3 channels, 5 routers.
    let point = point(mesh(4), trace("one", "1,14,64,7.3e-7\n"));
    let metrics = run(&point);
    assert_eq!(metrics["packet_latency_mean_cycles"], zero_load(5, 4));
    assert_eq!(metrics["makespan_cycles"], 730.0 + zero_load(5, 4));
    assert_eq!(metrics["hops_mean"], 4.0);
    assert!((metrics["makespan_s"] - (730.0 + zero_load(5, 4)) * CYCLE_S).abs() < 1e-15);
}

#[test]
fn packets_of_a_trace_that_do_not_meet_do_not_disturb_each_other() {
    let lines = "0,3,64,0\n4,7,32,1e-8\n15,12,16,2e-8\n5,5,64,1e-6\n";
    let folder = folder("rows");
    let wanted = with(point(mesh(4), trace("four", lines)), json!({"tables": ["messages"]}));
    answer(&wanted, &folder);
    let rows = std::fs::read_to_string(folder.join("messages-p.csv")).unwrap();
    let times: Vec<(f64, f64)> = rows
        .lines()
        .skip(1)
        .map(|row| {
            let fields: Vec<f64> = row.split(',').map(|field| field.parse().unwrap()).collect();
            (fields[4] / CYCLE_S, fields[5] / CYCLE_S)
        })
        .collect();
    let expected = [(0.0, zero_load(4, 4)), (10.0, zero_load(4, 2)), (1000.0, zero_load(1, 4))];
    for ((start, finish), (begin, latency)) in times.iter().zip(expected) {
        assert!((start - begin).abs() < 1e-6 && (finish - begin - latency).abs() < 1e-6, "{rows}");
    }
    assert_eq!(times.len(), 4);
}

#[test]
fn neighbours_on_a_torus_end_when_their_links_have_carried_everything() {
    // Every digit plus 1: two channels to each destination, none of them shared. With buffers for
    // two packets, a source sends a flit in every cycle.
    let torus = json!({"kind": "torus", "sizes": [4, 4], "ties": "plus", "nodes": 16});
    let workload = messages("neighbor", 10, json!("all"));
    let wide = json!({"virtual_channels": 4, "vc_buffer_flits": 16, "routing_delay_cycles": 0,
                      "speculative": true});
    let metrics = run(&with(point(torus, workload), wide));
    // Look-ahead and speculation: 3 cycles for each of 3 routers; then 40 flits in a row.
    assert_eq!(metrics["makespan_cycles"], f64::from(2 + 3 * 3 + 39));
}

#[test]
fn one_message_at_a_time_takes_the_sum_of_its_latencies() {
    // To oneself: one router. The next message is created when the one before has arrived.
    let file = "5,5,64,0\n".repeat(10);
    let mut workload = trace("ten", &file);
    workload["outstanding"] = json!(1);
    let metrics = run(&point(mesh(4), workload));
    // The last flit is taken in a cycle in which the source has had its turn.
    assert_eq!(metrics["makespan_cycles"], 10.0 * zero_load(1, 4) + 9.0);
    // It waits for the next one, which counts.
    let longest_s = metrics["message_time_max_s"];
    assert!((longest_s / CYCLE_S - zero_load(1, 4) - 1.0).abs() < 1e-9, "{longest_s}");
    assert_eq!(metrics["packet_latency_max_cycles"], zero_load(1, 4) + 1.0);
}

#[test]
fn a_latency_of_the_network_leaves_no_cycle_between_messages() {
    let mut workload = trace("ten_late", &"5,5,64,0\n".repeat(10));
    workload["outstanding"] = json!(1);
    let mut point = point(mesh(4), workload);
    point["network"]["latency_s"] = json!(3.0 * CYCLE_S);
    assert_eq!(run(&point)["makespan_cycles"], 10.0 * (3.0 + zero_load(1, 4)));
}

#[test]
fn a_message_is_cut_into_packets_and_arrives_with_the_last() {
    let metrics = run(&point(mesh(4), trace("cut", "5,5,160,0\n")));
    assert_eq!(metrics["packets_measured"], 3.0);
    assert_eq!(metrics["flit_router_visits"], 10.0);
    let time_s = metrics["message_time_mean_s"];
    assert!(time_s >= zero_load(1, 10) * CYCLE_S && time_s < 1.5 * zero_load(1, 10) * CYCLE_S);
}

#[test]
fn without_a_flit_size_a_message_is_one_packet() {
    let workload = messages("uniform", 2, json!("all"));
    let options = json!({"flit_bytes": null, "packet_flits": 40});
    let metrics = run(&with(point(mesh(4), workload), options));
    assert_eq!(metrics["packets_measured"], 32.0);
    // 64 B in 40 flits at 16 GB/s: 0.1 ns.
    assert!((metrics["cycle_s"] - 1e-10).abs() < 1e-22);
    assert!((metrics["makespan_s"] - metrics["makespan_cycles"] * 1e-10).abs() < 1e-18);
}

#[test]
fn start_up_and_hop_delays_of_the_network_are_whole_cycles() {
    let mut point = point(mesh(4), trace("delays", "0,3,64,0\n"));
    point["network"]["latency_s"] = json!(20.4e-9);
    point["network"]["hop_latency_s"] = json!(2.1e-9);
    let metrics = run(&point);
    // 20 cycles before the source has it; three channels of 3 cycles instead of 1.
    assert_eq!(metrics["makespan_cycles"], 20.0 + zero_load(4, 4) + 3.0 * 2.0);
    assert_eq!(metrics["packet_latency_mean_cycles"], zero_load(4, 4) + 6.0);
    assert!((metrics["message_time_mean_s"] - metrics["makespan_s"]).abs() < 1e-18);
}

#[test]
fn channels_of_a_class_have_their_own_latency() {
    let slow = json!({"class_latency_cycles": {"x+": 10}});
    let metrics = run(&with(point(mesh(4), trace("class", "0,3,64,0\n")), slow));
    assert_eq!(metrics["makespan_cycles"], zero_load(4, 4) + 3.0 * 9.0);
}

#[test]
fn all_flits_of_a_batch_arrive() {
    let metrics = run(&point(mesh(8), messages("uniform", 10, json!("all"))));
    assert_eq!(metrics["packets_measured"], 640.0);
    assert!(metrics["packet_latency_max_cycles"] <= metrics["makespan_cycles"]);
    assert!(metrics["link_utilisation_max"] <= 1.0);
}

#[test]
fn a_source_sends_the_size_of_the_buffer_in_each_round_of_its_credits() {
    // A latency of 5: a round of 12 cycles, the first of them 2 longer for the route of the head.
    let options = json!({"injection_latency_cycles": 5, "virtual_channels": 1, "vc_buffer_flits": 6,
                         "packet_flits": 121});
    let metrics = run(&with(point(mesh(2), trace("round", "0,0,1936,0\n")), options));
    // The last flit leaves alone: 6 cycles to the router, 3 to the node.
    assert_eq!(metrics["makespan_cycles"], f64::from(20 * 12 + 2 + 6 + 3));
}
