//! Costs by size on flits: a ping-pong alone takes what was measured, though packets fill whole flits and
//! wait in a pipeline.

use crate::spec;
use engine::Point;
use serde_json::{Value, json};
use std::path::Path;

const SIZES: [u64; 6] = [0, 1, 1000, 1024, 1025, 100_001];

/// A rendezvous with a jump behind 1 KiB.
fn pieces(start_ns: f64, byte_ns: f64) -> Value {
    let piece = |from: u64, ns: f64| json!({"from_bytes": from, "time_s": ns * 1e-9, "byte_time_s": byte_ns * 1e-9});
    json!([piece(0, start_ns), piece(1025, 2.5 * start_ns + 1024.0 * byte_ns)])
}

fn seconds(bytes: u64, start_ns: f64, byte_ns: f64) -> f64 {
    match bytes {
        0..=1024 => (start_ns + bytes as f64 * byte_ns) * 1e-9,
        _ => (2.5 * start_ns + (bytes - 1) as f64 * byte_ns) * 1e-9,
    }
}

#[test]
fn a_simulated_ping_pong_takes_what_was_measured() {
    let mut point = spec::point(json!({"kind": "crossbar", "nodes": 2}), json!({}));
    point["network"] = json!({
        "bandwidth_bytes_per_s": 5e9, "latency_s": 7e-7, "hop_latency_s": 0.0,
        "packet": {"mtu_bytes": 512, "header_bytes": 0, "control_bytes": 0, "flit_bytes": 16},
        "costs": {"link_bandwidth_bytes_per_s": 10e9, "link_latency_s": 2e-7,
                  "between_nodes": {"eager_limit_bytes": 1024, "one_way": pieces(1000.0, 0.12),
                                    "put": pieces(900.0, 0.13)}}});
    point["workload"] = json!({
        "kind": "program", "program": "pingpong", "ranks": 2, "message_bytes": SIZES,
        "source": concat!(env!("CARGO_MANIFEST_DIR"), "/../../programs/pingpong.c")});
    let options = json!({
        "payload": "sizes", "eager_limit_bytes": 16384, "zero_copy_limit_bytes": null,
        "rank_to_node": "linear", "ranks_per_node": 1, "rank_file": null, "stack_bytes": 65536,
        "loop_limit_s": 30.0, "tables": [], "packet_flits": 32, "vc_buffer_flits": 64});
    let point: Point = serde_json::from_value(spec::with(point, options)).unwrap();
    std::env::set_current_dir(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let found = packet::program::simulate(&point, Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap();
    for (metric, start_ns, byte_ns) in
        [("one_way_time_s", 1000.0, 0.12), ("put_time_s", 900.0, 0.13)]
    {
        for bytes in SIZES {
            let is = found.iter().find(|m| m.metric == metric && m.message_bytes == Some(bytes));
            let (is, wanted) = (is.unwrap().value, seconds(bytes, start_ns, byte_ns));
            assert!((is - wanted).abs() < 2e-12, "{metric} of {bytes} B is {is}, not {wanted}");
        }
    }
}
