//! The same point for every engine: a collective on a crossbar.

use engine::{Metric, Point};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Mutex;

/// A collective of `ranks` ranks by an algorithm, with blocks of so many bytes.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    pub collective: &'static str,
    pub algorithm: &'static str,
    pub ranks: u64,
    pub bytes: u64,
}

pub const LATENCY_S: f64 = 3e-6;
pub const BYTES_PER_S: f64 = 1e9;

fn point(engine: &str, spec: Value) -> Point {
    let mut whole = json!({"point_id": "p", "digest": "d", "engine": engine, "seed": 1,
                           "network": {"bandwidth_bytes_per_s": BYTES_PER_S, "latency_s": LATENCY_S,
                                       "packet": {"flit_bytes": 1, "mtu_bytes": 1024}}});
    // Closed forms let messages that leave one rank at once share its link.
    if engine == "flow" {
        whole["network"]["nic"] = json!({"service": "round_robin"});
    }
    whole.as_object_mut().unwrap().extend(spec.as_object().unwrap().clone());
    serde_json::from_value(whole).unwrap()
}

/// Options of every cost model, as a plan writes them.
pub fn options(cost: &str) -> Value {
    json!({"cost": cost, "overhead_s": 0.0, "gap_s": 0.0, "small_message_bytes": 8,
           "byte_factor": 1.3, "message_factor": 2.0})
}

/// The closed form of `cost`.
pub fn formula(case: Case, cost: &str) -> Vec<Metric> {
    let mut options = options(cost);
    options[format!("{}_algorithm", case.collective)] = json!(case.algorithm);
    let workload = json!({"kind": "program", "program": case.collective, "ranks": case.ranks,
                          "message_bytes": [case.bytes]});
    let spec = json!({"topology": {"kind": "crossbar", "nodes": case.ranks},
                      "workload": workload, "options": options});
    model::run_point(&point("model", spec)).unwrap()
}

/// What a simulator says, with links alone. Every message with data waits for its receive, so that no
/// message of a rank overlaps with its next one.
pub fn simulated(case: Case, simulator: &str) -> Vec<Metric> {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/one_collective.c");
    let mut options = program_options();
    options["payload"] = json!("sizes");
    options[format!("{}_algorithm", case.collective)] = json!(case.algorithm);
    let workload = json!({"kind": "program", "program": "one_collective", "source": source,
                          "ranks": case.ranks, "message_bytes": null,
                          "arguments": [case.collective, case.bytes.to_string()]});
    run(simulator, case.ranks, &workload, &options)
}

/// A multicast to all ranks, with the set-up of its group, as `flow` finds it.
pub fn simulated_multicast(ranks: u64, bytes: u64, how: &str) -> Vec<Metric> {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../programs/group_multicast.c");
    let workload = json!({"kind": "program", "program": "group_multicast", "source": source,
                          "ranks": ranks, "message_bytes": [bytes],
                          "arguments": ["{message_bytes}", how]});
    run("flow", ranks, &workload, &program_options())
}

fn program_options() -> Value {
    json!({
        "model": "equal_share", "payload": "delivered", "eager_limit_bytes": 0,
        "zero_copy_limit_bytes": 1, "rank_to_node": "linear", "ranks_per_node": 1,
        "rank_file": null, "stack_bytes": 65536, "loop_limit_s": 30.0, "tables": [],
        "series_interval_s": 1e-6,
    })
}

fn run(simulator: &str, ranks: u64, workload: &Value, options: &Value) -> Vec<Metric> {
    let spec = json!({"topology": {"kind": "crossbar", "nodes": ranks},
                      "workload": workload, "options": options});
    simulate(simulator, spec)
}

/// A program of the project on a crossbar and on this network, with the options of simulators.
pub fn on_network(simulator: &str, workload: &Value, network: &Value) -> Vec<Metric> {
    let source = format!(
        "{}/../../programs/{}.c",
        env!("CARGO_MANIFEST_DIR"),
        workload["program"].as_str().unwrap()
    );
    let mut workload = workload.clone();
    workload["source"] = json!(source);
    simulate(
        simulator,
        json!({"topology": {"kind": "crossbar", "nodes": workload["ranks"]}, "network": network,
               "workload": workload, "options": program_options()}),
    )
}

/// The closed form of `cost` on this network.
pub fn formula_on(cost: &str, workload: &Value, network: &Value) -> Vec<Metric> {
    formula_with(&options(cost), workload, network)
}

/// The same by all options.
pub fn formula_with(options: &Value, workload: &Value, network: &Value) -> Vec<Metric> {
    let spec = json!({"topology": {"kind": "crossbar", "nodes": workload["ranks"]},
                      "network": network, "workload": workload, "options": options});
    model::run_point(&point("model", spec)).unwrap()
}

fn simulate(simulator: &str, spec: Value) -> Vec<Metric> {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR"));
    // A program has its process for itself.
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap();
    // Compiled programs are kept there.
    std::env::set_current_dir(out).unwrap();
    match simulator {
        "flow" => flow::simulate_program(&point("flow", spec), out).unwrap(),
        _ => rdma::simulate(&point("rdma", spec), out).unwrap(),
    }
}

/// The closed form of a multicast to all ranks.
pub fn multicast_formula(ranks: u64, bytes: u64, how: &str) -> Vec<Metric> {
    let workload = json!({"kind": "program", "program": "group_multicast", "ranks": ranks,
                          "message_bytes": [bytes], "arguments": ["{message_bytes}", how]});
    let spec = json!({"topology": {"kind": "crossbar", "nodes": ranks},
                      "workload": workload, "options": options("hockney")});
    model::run_point(&point("model", spec)).unwrap()
}

pub fn value(metrics: &[Metric], name: &str) -> f64 {
    let found = metrics.iter().find(|metric| metric.metric == name);
    found.unwrap_or_else(|| panic!("no {name} in {metrics:?}")).value
}
