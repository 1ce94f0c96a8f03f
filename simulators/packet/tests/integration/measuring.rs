//! What open-loop traffic measures: warm-up, window, drain, saturation and its search.

use crate::spec::{Metrics, crossbar, mesh, point, run, traffic, with};
use serde_json::{Value, json};

/// One node that sends packets of 20 flits to itself.
fn queue(rate: f64) -> Value {
    let mut workload = traffic(rate);
    workload["message_bytes"] = json!([320]);
    let options = json!({"packet_flits": 20, "virtual_channels": 4, "measure_cycles": 1_600_000});
    with(point(crossbar(1), workload), options)
}

fn has_packet_latency(metrics: &Metrics) -> bool {
    metrics.keys().any(|name| name.starts_with("packet_latency"))
}

#[test]
fn the_source_queue_waits_as_long_as_theory_says() {
    // Geo/D/1: Bernoulli arrivals with utilisation r and service of F cycles wait for
    // r (F - 1) / (2 (1 - r)) cycles on average (Hunter, "Mathematical Techniques of Applied
    // Probability", volume 2, on the discrete-time single-server queue).
    for rate in [0.2, 0.5, 0.8] {
        let metrics = run(&queue(rate));
        let waiting =
            metrics["packet_latency_mean_cycles"] - metrics["network_latency_mean_cycles"];
        let expected = rate * 19.0 / (2.0 * (1.0 - rate));
        assert_eq!(metrics["saturated"], 0.0);
        // The mean over 16,000 to 64,000 packets that wait in each other's way.
        assert!((waiting / expected - 1.0).abs() < 0.08, "{rate}: {waiting} {expected}");
        assert_eq!(metrics["network_latency_mean_cycles"], 2.0 + 5.0 + 19.0);
    }
}

#[test]
fn a_network_that_keeps_up_accepts_what_is_offered() {
    let metrics = run(&point(mesh(4), traffic(0.2)));
    assert_eq!(metrics["saturated"], 0.0);
    let (accepted, half) = (metrics["accepted_rate"], metrics["accepted_rate_halfwidth"]);
    assert!((accepted - 0.2).abs() < 2.0 * half && half < 0.02, "{accepted} {half}");
    assert!(metrics["accepted_rate_min"] < accepted && accepted < metrics["accepted_rate_max"]);
    assert!(metrics["packet_latency_mean_cycles"] >= metrics["network_latency_mean_cycles"]);
    let p = |of: &str| metrics[&format!("packet_latency_{of}_cycles")];
    // A message to oneself is the shortest way: one router, and four flits.
    assert_eq!(p("min"), 2.0 + 5.0 + 3.0);
    assert!(p("p50") <= p("p95") && p("p95") <= p("p99") && p("p99") <= p("max"));
}

#[test]
fn an_overloaded_network_is_saturated_and_has_no_packet_latency() {
    let metrics = run(&point(mesh(4), traffic(0.95)));
    assert_eq!(metrics["saturated"], 1.0);
    assert!((0.2..0.9).contains(&metrics["accepted_rate"]), "{metrics:?}");
    assert!(!has_packet_latency(&metrics) && metrics.contains_key("network_latency_mean_cycles"));
    // The packets that arrived in the window, not those created in it.
    let flits = metrics["packets_measured"] * 4.0;
    let accepted = metrics["accepted_rate"] * 16.0 * metrics["measured_cycles"];
    assert!((flits / accepted - 1.0).abs() < 0.01, "{metrics:?}");
}

#[test]
fn sources_that_are_always_backlogged_fill_their_links() {
    // A permutation on a crossbar has no contention.
    let mut workload = traffic(1.0);
    workload["pattern"] = json!("random_permutation");
    let wide = json!({"virtual_channels": 4, "vc_buffer_flits": 16});
    let metrics = run(&with(point(crossbar(8), workload), wide));
    assert_eq!((metrics["accepted_rate"], metrics["saturated"]), (1.0, 0.0));
    assert_eq!((metrics["accepted_rate_min"], metrics["accepted_rate_halfwidth"]), (1.0, 0.0));
    assert!(!has_packet_latency(&metrics));
}

#[test]
fn a_point_that_cannot_drain_in_time_is_saturated() {
    // The packets of the last cycles of the window need more than 3 cycles.
    let impatient = json!({"drain_cycles": 3, "warmup_cycles": 500});
    let metrics = run(&with(point(mesh(4), traffic(0.1)), impatient));
    assert_eq!(metrics["saturated"], 1.0);
}

#[test]
fn all_packets_created_in_the_window_are_measured() {
    let fixed = json!({"warmup_cycles": 700, "measure_cycles": 1000});
    let point = with(point(mesh(4), traffic(0.3)), fixed);
    let metrics = run(&point);
    assert_eq!((metrics["warmup_cycles"], metrics["measured_cycles"]), (700.0, 1000.0));
    let mut arrivals = packet::traffic::Arrivals::new(
        16,
        &serde_json::from_value(point["workload"].clone()).unwrap(),
        4,
        0,
        1,
    );
    arrivals.count_until(700);
    assert_eq!(metrics["packets_measured"], arrivals.count_until(1700) as f64);
}

#[test]
fn intervals_hold_the_offered_rate_as_often_as_they_say() {
    let holds = (0..60).filter(|seed| {
        let short = json!({"measure_cycles": 1000, "warmup_cycles": 300});
        let mut point = with(point(mesh(2), traffic(0.2)), short);
        point["seed"] = json!(seed);
        let metrics = run(&point);
        (metrics["accepted_rate"] - 0.2).abs() <= metrics["accepted_rate_halfwidth"]
    });
    // 57 of 60 at 95 %; 51 or fewer would happen once in 100 times if 95 % were 92 %.
    let holds = holds.count();
    assert!(holds >= 51, "{holds}");
}

#[test]
fn warm_up_is_detected_and_longer_where_queues_take_longer() {
    let idle = run(&point(mesh(4), traffic(0.05)));
    let busy = run(&with(queue(0.95), json!({"measure_cycles": 20_000})));
    assert!(idle["warmup_cycles"] <= 4000.0, "{idle:?}");
    assert!(busy["warmup_cycles"] > idle["warmup_cycles"], "{busy:?}");
}

#[test]
fn the_detected_warm_up_leaves_no_bias() {
    // A queue that takes some 400 cycles to fill, in windows of 1000 cycles.
    let mean = |warmup_cycles: Value| {
        let short = json!({"measure_cycles": 1000, "warmup_cycles": warmup_cycles});
        let latencies: Vec<f64> = (0..400)
            .filter_map(|seed| {
                let mut point = with(queue(0.8), short.clone());
                point["seed"] = json!(seed);
                run(&point).get("packet_latency_mean_cycles").copied()
            })
            .collect();
        latencies.iter().sum::<f64>() / latencies.len() as f64
    };
    let (none, detected, long) = (mean(json!(0)), mean(json!(null)), mean(json!(10_000)));
    assert!((detected / long - 1.0).abs() < 0.08, "{detected} {long}");
    assert!(none / long < 0.92, "{none} {long}");
}

#[test]
fn bursts_wait_longer_than_single_messages() {
    let mut workload = traffic(0.2);
    let smooth = run(&point(mesh(4), workload.clone()));
    workload["injection_process"] = json!("on_off");
    workload["burst_messages"] = json!(10);
    let bursty = run(&with(point(mesh(4), workload), json!({"measure_cycles": 20_000})));
    let latency = |metrics: &Metrics| metrics["packet_latency_mean_cycles"];
    assert!(latency(&bursty) > 1.2 * latency(&smooth), "{bursty:?}");
    assert!((bursty["accepted_rate"] - 0.2).abs() < 0.02, "{bursty:?}");
}

#[test]
fn long_bursts_at_a_low_load_are_not_taken_for_saturation() {
    let saturated = (0..20).filter(|seed| {
        let mut workload = traffic(0.1);
        workload["injection_process"] = json!("on_off");
        workload["burst_messages"] = json!(40);
        let mut point = point(mesh(2), workload);
        point["seed"] = json!(seed);
        run(&point)["saturated"] == 1.0
    });
    assert_eq!(saturated.count(), 0);
}

#[test]
fn a_network_with_next_to_nothing_to_do_is_never_saturated() {
    // Windows of so few messages that one more at their end is more than 1 % of what was offered.
    let saturated = |topology: &Value, cycles: u32, seed: u64| {
        let mut workload = traffic(0.01);
        workload["message_bytes"] = json!([320]);
        let short = json!({"packet_flits": 20, "measure_cycles": cycles});
        let mut point = with(point(topology.clone(), workload), short);
        point["seed"] = json!(seed);
        run(&point)["saturated"] == 1.0
    };
    for topology in [crossbar(8), mesh(4)] {
        for cycles in [1000, 4000] {
            let seeds: Vec<u64> = (0..300).filter(|&s| saturated(&topology, cycles, s)).collect();
            assert!(seeds.is_empty(), "{topology} {cycles}: {seeds:?}");
        }
    }
}

#[test]
fn the_search_finds_the_rate_at_which_a_sweep_saturates() {
    let mut workload = traffic(1.0);
    workload["search"] = json!("saturation");
    let found = run(&point(mesh(4), workload));
    let rate = found["saturation_injection_rate"];
    let saturated = |rate: f64| run(&point(mesh(4), traffic(rate)))["saturated"] == 1.0;
    assert!(!saturated(rate * 0.95) && saturated(rate * 1.10), "{found:?}");
    assert!((found["saturation_throughput"] / rate - 1.0).abs() < 0.03, "{found:?}");
    assert_eq!(found["saturated"], 1.0);
}

#[test]
fn a_search_that_never_saturates_says_so() {
    let mut workload = traffic(0.1);
    workload["search"] = json!("saturation");
    let found = run(&point(mesh(4), workload));
    assert_eq!((found["saturation_injection_rate"], found["saturated"]), (0.1, 0.0));
}

#[test]
fn a_seed_gives_the_same_bits_again_and_another_does_not() {
    let mut other = point(mesh(4), traffic(0.3));
    let (first, again) = (run(&other), run(&other));
    other["seed"] = json!(2);
    assert_eq!(first, again);
    assert_ne!(first, run(&other));
}
