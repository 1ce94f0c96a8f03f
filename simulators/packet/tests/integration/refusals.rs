//! Every wrong option and combination is refused with its reason.

use crate::spec::{attempt, crossbar, mesh, point, refusal, run, traffic, with};
use proptest::prelude::*;
use serde_json::{Value, json};

fn torus() -> Value {
    json!({"kind": "torus", "ties": "plus", "sizes": [4, 4], "nodes": 16})
}

/// The refusal of a mesh with one other option.
fn option(key: &str, value: Value) -> String {
    let mut point = point(mesh(4), traffic(0.1));
    point["options"][key] = value;
    refusal(&point)
}

#[test]
fn options_that_must_not_be_zero_are_named() {
    for key in [
        "virtual_channels",
        "vc_buffer_flits",
        "vc_allocation_delay_cycles",
        "switch_allocation_delay_cycles",
        "switch_traversal_delay_cycles",
        "allocator_iterations",
        "packet_flits",
        "measure_cycles",
        "max_cycles",
        "series_interval_cycles",
    ] {
        let reason = option(key, json!(0));
        assert!(reason.contains(&format!("{key} is 0")), "{key}: {reason}");
        assert!(reason.contains("must be at least 1"), "{key}: {reason}");
    }
    assert!(option("channel_latency_cycles", json!(0)).contains("0 cycles, must be at least 1"));
    assert!(option("injection_latency_cycles", json!(0)).contains("injection channels is 0"));
    assert!(option("ejection_latency_cycles", json!(0)).contains("ejection channels is 0"));
    assert!(option("flit_bytes", json!(0)).contains("flit_bytes is 0, must be above 0"));
    assert!(option("confidence", json!(1)).contains("confidence is 1, must be within 0..1"));
}

#[test]
fn words_that_do_not_exist_are_named_with_those_that_do() {
    for (key, allowed) in [
        ("switching", "virtual_cut_through"),
        ("vc_allocator", "wavefront"),
        ("switch_allocator", "separable_input_first"),
        ("arbiter", "round_robin"),
        ("torus_classes", "balanced"),
        ("tables", "series"),
    ] {
        let word = if key == "tables" { json!(["foo"]) } else { json!("foo") };
        let reason = option(key, word);
        assert!(reason.contains("foo") && reason.contains(allowed), "{key}: {reason}");
    }
}

#[test]
fn a_missing_option_is_named() {
    let mut point = point(mesh(4), traffic(0.1));
    point["options"].as_object_mut().unwrap().remove("credit_delay_cycles");
    assert!(refusal(&point).contains("missing field `credit_delay_cycles`"));
}

#[test]
fn options_that_do_not_go_together_say_why() {
    let both = |options: Value| refusal(&with(point(mesh(4), traffic(0.1)), options));
    let reason = both(json!({"switching": "virtual_cut_through", "packet_flits": 9}));
    assert!(reason.contains("vc_buffer_flits is 8, must be at least packet_flits 9"), "{reason}");
    let reason = both(json!({"arbiter": "age"}));
    assert!(reason.contains("arbiter age does not go with vc_allocator islip"), "{reason}");
    let reason = both(json!({"arbiter": "age", "vc_allocator": "wavefront"}));
    assert!(reason.contains("switch_allocator islip"), "{reason}");
    let reason = both(json!({"class_latency_cycles": {"up": 4}}));
    assert!(reason.starts_with("class_latency_cycles names the class \"up\""), "{reason}");
    assert!(reason.ends_with("of this topology: x+, x-, y+, y-"), "{reason}");
    let reason = both(json!({"class_latency_cycles": {"x+": 200_000}}));
    let expected = "class_latency_cycles.x+ is 200000, must be at most 100000 cycles";
    assert_eq!(reason, expected);
    let mut hop = point(mesh(4), traffic(0.1));
    hop["network"]["hop_latency_s"] = json!(1.0);
    let expected = "network.hop_latency is 1 s, which are 1000000000 cycles of 0.000000001 s; must \
                    be at most 100000 cycles, 0.0001 s";
    assert_eq!(refusal(&hop), expected);
}

#[test]
fn a_latency_of_channels_by_hand_counts_instead_of_the_networks() {
    let by_hand = with(point(mesh(4), traffic(0.1)), json!({"channel_latency_cycles": 2}));
    let mut hop = by_hand.clone();
    hop["network"]["hop_latency_s"] = json!(1e-8);
    assert_eq!(run(&hop), run(&by_hand));
}

#[test]
fn virtual_channels_must_suit_the_topology() {
    let dragonfly =
        |routing| json!({"kind": "dragonfly", "p": 2, "a": 4, "h": 2, "routing": routing});
    let butterfly = json!({"kind": "flattened_butterfly", "k": 4, "dimensions": 2,
                           "concentration": 4, "routing": "valiant"});
    let cube = json!({"kind": "hypercube", "dimensions": 3, "routing": "minimal_adaptive"});
    for (topology, given, least) in [
        (torus(), 1, "at least 2"),
        (torus(), 3, "multiple of 2"),
        (dragonfly("minimal"), 1, "at least 2"),
        (dragonfly("ugal"), 2, "at least 3"),
        (butterfly, 1, "at least 2"),
        (cube.clone(), 1, "at least 2"),
    ] {
        let options = json!({"virtual_channels": given, "wait_for_tail_credit": true});
        let reason = refusal(&with(point(topology, traffic(0.1)), options));
        assert!(reason.starts_with(&format!("virtual_channels is {given}, must be")), "{reason}");
        assert!(reason.contains(least), "{reason}");
    }
    let word = json!({"virtual_channels": "per_destination"});
    let reason = refusal(&with(point(crossbar(4), traffic(0.1)), word));
    assert!(reason.contains("per_destination"), "{reason}");
    let reason = refusal(&point(cube, traffic(0.1)));
    assert!(reason.contains("wait_for_tail_credit"), "{reason}");
}

#[test]
fn workloads_that_do_not_fit_say_why() {
    let reason = |workload: Value| refusal(&point(mesh(4), workload));
    let program = json!({"kind": "program", "program": "pingpong", "ranks": 2,
                         "message_bytes": [8]});
    assert!(reason(program).contains("needs a process of its own"));
    assert!(reason(traffic(1.5)).contains("injection_rate is 1.5"));
    let mut bursts = traffic(0.5);
    bursts["injection_process"] = json!("on_off");
    assert!(reason(bursts).contains("needs burst_messages"));
    let mut file = traffic(0.5);
    file["pattern"] = json!("file");
    assert!(reason(file).contains("pattern file is for the workload kind messages"));
    let mut none = traffic(0.5);
    none["message_bytes"] = json!([]);
    assert!(reason(none).contains("message_bytes is empty"));
    let mut odd = traffic(0.5);
    odd["pattern"] = json!("transpose");
    assert!(refusal(&point(mesh(3), odd)).contains("even power of two"));
    let mut zero = traffic(0.5);
    zero["message_bytes"] = json!([0]);
    let whole = with(point(mesh(4), zero), json!({"flit_bytes": null}));
    assert!(refusal(&whole).contains("needs a flit_size"));
    let list = json!({"kind": "messages", "pattern": "file", "file": "absent.csv",
                      "message_bytes": []});
    let whole = with(point(mesh(4), list), json!({"flit_bytes": null}));
    assert!(refusal(&whole).contains("pattern file needs a flit_size"));
}

#[test]
fn tables_that_do_not_fit_say_why() {
    let mut search = traffic(1.0);
    search["search"] = json!("saturation");
    let reason = refusal(&with(point(mesh(4), search), json!({"tables": ["nodes"]})));
    assert!(reason.contains("search"), "{reason}");
    let mut sizes = traffic(0.1);
    sizes["message_bytes"] = json!([16, 32]);
    for table in ["links", "nodes", "buffers", "series"] {
        let wanted = with(point(mesh(4), sizes.clone()), json!({"tables": [table]}));
        assert!(refusal(&wanted).contains(&format!("table {table} needs exactly one")), "{table}");
    }
}

#[test]
fn a_list_that_takes_too_long_fails_with_what_is_left() {
    let list = json!({"kind": "messages", "pattern": "uniform", "per_node": 100,
                      "message_bytes": [64], "outstanding": "all"});
    let reason = refusal(&with(point(mesh(4), list), json!({"max_cycles": 50})));
    assert!(reason.contains("messages have not arrived after max_cycles 50"), "{reason}");
}

/// Options whose values tests may choose freely; those that count cycles of a run stay small.
const FREE: [&str; 22] = [
    "virtual_channels",
    "vc_buffer_flits",
    "routing_delay_cycles",
    "vc_allocation_delay_cycles",
    "switch_allocation_delay_cycles",
    "switch_traversal_delay_cycles",
    "credit_delay_cycles",
    "speculative",
    "switching",
    "vc_allocator",
    "switch_allocator",
    "allocator_iterations",
    "arbiter",
    "wait_for_tail_credit",
    "hold_switch_for_packet",
    "channel_latency_cycles",
    "injection_latency_cycles",
    "class_latency_cycles",
    "packet_flits",
    "flit_bytes",
    "torus_classes",
    "confidence",
];

fn any_value() -> impl Strategy<Value = Value> {
    let words =
        ["virtual_cut_through", "wavefront", "maximum", "age", "balanced", "per_destination", ""];
    prop_oneof![
        prop::sample::select(vec![0_u64, 1, 2, 3, 4, 5, 8, 16, 70_000, 100_001, 1 << 32, 1 << 63])
            .prop_map(Value::from),
        prop::sample::select(vec![-1.0, 0.0, 0.5, 0.95, 1.0, 1e300]).prop_map(Value::from),
        prop::sample::select(words.to_vec()).prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        prop::sample::select(vec![json!(null), json!([]), json!({}), json!({"x+": 3, "no": 1})]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    /// Whatever options hold, a point is refused with a sentence, or it has metrics.
    #[test]
    fn any_options_are_refused_or_simulated(
        changed in prop::collection::vec((prop::sample::select(FREE.to_vec()), any_value()), 1..4)
    ) {
        let short = json!({"warmup_cycles": 50, "measure_cycles": 100, "drain_cycles": 1000,
                           "max_cycles": 2000});
        let mut point = with(point(torus(), traffic(0.1)), short);
        for (key, value) in changed {
            point["options"][key] = value;
        }
        match attempt(&point) {
            Ok(metrics) => prop_assert!(metrics.iter().all(|metric| metric.value.is_finite())),
            Err(error) => prop_assert!(!error.is_empty() && !error.contains("panicked")),
        }
    }
}
