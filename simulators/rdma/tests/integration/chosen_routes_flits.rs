//! Routes that packets choose on their way, by queues that this network and the flit-level one of
//! `packet` have to fill alike: the same messages through both. `network_survey.rs` has more settings,
//! loads and runs.

use crate::flit_level::{Case, Found, means};
use serde_json::{Value, json};

fn tree(routing: &str) -> Value {
    json!({"kind": "fat_tree", "k": 4, "levels": 2, "routing": routing})
}

fn butterfly(routing: &str) -> Value {
    json!({"kind": "flattened_butterfly", "k": 4, "dimensions": 2, "concentration": 2,
           "routing": routing})
}

fn dragonfly(routing: &str) -> Value {
    json!({"kind": "dragonfly", "p": 2, "a": 4, "h": 2, "routing": routing})
}

fn cube() -> Value {
    json!({"kind": "hypercube", "dimensions": 4, "routing": "minimal_adaptive"})
}

/// Packets of 4 flits, one per message, with three virtual channels.
fn case(topology: Value, shift: Option<u32>, load: f64, cycles: u64) -> Case {
    let (vcs, buffer_flits, packet_flits, messages) = (3, 16, 4, vec![4]);
    Case { topology, vcs, buffer_flits, packet_flits, messages, shift, load, cycles }
}

/// The nodes of a group of the dragonfly: all messages go to the next group.
const GROUP: Option<u32> = Some(8);

fn assert_near(case: &Case, what: &str, flits: f64, packets: f64, share: f64) {
    let off = packets / flits - 1.0;
    let Case { topology, shift, load, .. } = case;
    assert!(
        off.abs() <= share,
        "{topology}, {shift:?}, load {load}: {what} is {packets}, flit by flit {flits}, {:.2} % off",
        100.0 * off
    );
}

/// As for static routes, 2 %. Where routers choose by chance, both draw other ways, so runs are long enough
/// that the mean of their latencies is uncertain by less than half a percent.
#[test]
fn below_saturation_mean_latencies_are_those_of_flits() {
    for (topology, shift, load) in [
        (tree("nca"), None, 0.3),
        (tree("anca"), None, 0.3),
        (cube(), None, 0.3),
        (butterfly("valiant"), None, 0.2),
        (butterfly("ugal"), None, 0.3),
        (dragonfly("valiant"), None, 0.2),
        (dragonfly("ugal"), None, 0.3),
        (dragonfly("valiant"), GROUP, 0.2),
        (dragonfly("ugal"), GROUP, 0.1),
    ] {
        let case = case(topology, shift, load, 10_000);
        let (flits, packets) = means(&case, 3);
        assert_near(&case, "network latency", flits.network, packets.network, 0.02);
        assert_near(&case, "message time", flits.message, packets.message, 0.02);
    }
}

/// As for static routes, 3 %. Rates of the flattened butterfly with `valiant` scatter by 4 % in runs of 4,000
/// cycles, so it has more and longer ones.
#[test]
fn above_saturation_as_many_flits_are_accepted_as_flit_by_flit() {
    for (topology, shift, cycles, runs) in [
        (tree("nca"), None, 4_000, 2),
        (tree("anca"), None, 4_000, 2),
        (cube(), None, 4_000, 2),
        (butterfly("valiant"), None, 10_000, 8),
        (butterfly("ugal"), None, 4_000, 2),
        (dragonfly("valiant"), None, 4_000, 2),
        (dragonfly("ugal"), None, 4_000, 2),
        (dragonfly("valiant"), GROUP, 4_000, 2),
        (dragonfly("ugal"), GROUP, 4_000, 2),
    ] {
        let case = case(topology, shift, 1.0, cycles);
        let (flits, packets) = means(&case, runs);
        assert_near(&case, "accepted rate", flits.accepted, packets.accepted, 0.03);
    }
}

/// Packets per node and cycle where all nodes of a group send to the next one, by both.
fn worst_case(routing: &str) -> (Found, Found) {
    means(&case(dragonfly(routing), GROUP, 1.0, 4_000), 1)
}

/// All nodes of a group share one channel to the next one. What UGAL decides by what a source router
/// sees brings most of what detours can.
#[test]
fn detours_relieve_the_dragonflys_worst_case_as_flit_by_flit() {
    let [minimal, valiant, ugal] = ["minimal", "valiant", "ugal"].map(worst_case);
    let flits = [minimal.0, valiant.0, ugal.0];
    for found in [flits, [minimal.1, valiant.1, ugal.1]] {
        let [minimal, valiant, ugal] = found.map(|found| found.accepted);
        assert!((minimal - 0.125).abs() < 0.006, "{minimal}");
        assert!(valiant > 2.2 * minimal && ugal > 1.5 * minimal, "{valiant} {ugal}");
    }
}
