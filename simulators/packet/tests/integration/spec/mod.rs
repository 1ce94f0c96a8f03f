//! Points as JSON, and what `run_point` answers.
#![allow(dead_code, reason = "each test uses a part of it")]

use engine::Point;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Metrics by name.
pub type Metrics = BTreeMap<String, f64>;

/// A cycle of 1 ns: flits of 16 B at 16 GB/s.
pub const CYCLE_S: f64 = 1e-9;

pub fn options() -> Value {
    json!({
        "virtual_channels": 2, "vc_buffer_flits": 8, "routing_delay_cycles": 1,
        "vc_allocation_delay_cycles": 1, "switch_allocation_delay_cycles": 1,
        "switch_traversal_delay_cycles": 1, "credit_delay_cycles": 0, "speculative": false,
        "switching": "wormhole", "vc_allocator": "islip", "switch_allocator": "islip",
        "allocator_iterations": 1, "arbiter": "round_robin", "wait_for_tail_credit": false,
        "hold_switch_for_packet": false, "channel_latency_cycles": 1,
        "injection_latency_cycles": 1, "ejection_latency_cycles": 1, "class_latency_cycles": {},
        "packet_flits": 4, "flit_bytes": 16, "torus_classes": "dateline", "warmup_cycles": null,
        "measure_cycles": 4000, "drain_cycles": 20_000, "max_cycles": 1_000_000,
        "confidence": 0.95, "tables": [], "series_interval_cycles": 100,
    })
}

pub fn mesh(k: u32) -> Value {
    json!({"kind": "mesh", "sizes": [k, k], "k": k, "dimensions": 2, "nodes": k * k})
}

pub fn crossbar(nodes: u32) -> Value {
    json!({"kind": "crossbar", "nodes": nodes})
}

/// Uniform traffic in messages of one packet.
pub fn traffic(injection_rate: f64) -> Value {
    json!({"kind": "traffic", "pattern": "uniform", "include_self": true, "per_node": 1,
           "injection_rate": injection_rate, "message_bytes": [64]})
}

pub fn point(topology: Value, workload: Value) -> Value {
    json!({
        "point_id": "p", "digest": "d", "engine": "packet", "seed": 1, "topology": topology,
        "workload": workload, "options": options(),
        "network": {"bandwidth_bytes_per_s": 16e9, "latency_s": 0, "hop_latency_s": 0},
    })
}

/// The point with other options.
pub fn with(mut point: Value, options: Value) -> Value {
    for (key, value) in options.as_object().unwrap() {
        point["options"][key] = value.clone();
    }
    point
}

/// A folder of its own for each test.
pub fn folder(name: &str) -> PathBuf {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let call = CALLS.fetch_add(1, Ordering::Relaxed);
    let path =
        std::env::temp_dir().join(format!("weft-packet-{}-{call}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn run_in(point: &Value, folder: &std::path::Path) -> Result<Vec<engine::Metric>, String> {
    let spec: Map<String, Value> = point.as_object().unwrap().clone();
    let text = |key: &str| point[key].as_str().unwrap().to_string();
    let (point_id, digest) = (text("point_id"), text("digest"));
    packet::run_point(&Point { point_id, digest, limits: Default::default(), spec }, folder)
}

/// The metrics of a point with one message size.
pub fn run(point: &Value) -> Metrics {
    answer(point, &std::env::temp_dir())
}

/// As `run`; tables go to `folder`.
pub fn answer(point: &Value, folder: &std::path::Path) -> Metrics {
    let metrics = run_in(point, folder).unwrap_or_else(|reason| panic!("{reason}: {point}"));
    metrics.into_iter().map(|metric| (metric.metric, metric.value)).collect()
}

/// The metrics of a point, or why there are none.
pub fn attempt(point: &Value) -> Result<Vec<engine::Metric>, String> {
    run_in(point, &std::env::temp_dir())
}

/// Why a point is refused or fails.
pub fn refusal(point: &Value) -> String {
    run_in(point, &std::env::temp_dir()).expect_err(&point.to_string())
}
