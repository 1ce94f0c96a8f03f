//! What has no formula is refused with what has one.

use crate::common::options;
use engine::Point;
use model::Curve;
use serde_json::{Value, json};

fn refused(section: &str, key: &str, wrong: Value) -> String {
    let mut point = json!({
        "point_id": "p", "digest": "d", "options": options("hockney"),
        "network": {"bandwidth_bytes_per_s": 1e9, "latency_s": 1e-6},
        "workload": {"kind": "program", "program": "allreduce", "ranks": 4, "message_bytes": [8]},
    });
    point[section][key] = wrong;
    let point: Point = serde_json::from_value(point).unwrap();
    model::run_point(&point).unwrap_err()
}

#[test]
fn what_has_no_formula_is_named_with_what_has_one() {
    let halo = refused("workload", "program", json!("halo_exchange"));
    assert!(
        halo.starts_with("there is no formula for 'halo_exchange'; known: allgather, allreduce")
    );
    let kind = refused("workload", "kind", json!("traffic"));
    assert_eq!(kind, "the model engine answers the workload kind program, not traffic");
    let library = refused("options", "allreduce_algorithm", json!("mpi"));
    let known = "known: recursive_doubling, ring, rabenseifner, reduce_bcast, linear";
    assert_eq!(library, format!("there is no formula for allreduce by 'mpi'; {known}"));
    let more = refused("workload", "arguments", json!(["{message_bytes}", "barriers"]));
    assert_eq!(more, "there is no formula for allreduce with 'barriers'");
}

#[test]
fn numbers_out_of_bounds_are_named() {
    for (section, key, wrong) in [
        ("workload", "ranks", json!(0)),
        ("workload", "message_bytes", json!([1_u64 << 60])),
        ("workload", "message_bytes", json!([])),
        ("options", "overhead_s", json!(-1.0)),
        ("options", "byte_factor", json!(0.0)),
        ("options", "cost", json!("model_3")),
        ("options", "curve_file", json!(7)),
        ("network", "bandwidth_bytes_per_s", json!(0.0)),
    ] {
        let error = refused(section, key, wrong);
        let named = [key, "message_size", "curve_file", "options"];
        assert!(
            named.iter().any(|name| error.contains(name)) || error.contains("string"),
            "{error}"
        );
    }
    let rule = refused("options", "allreduce_algorithm", json!("bytes<9: ring; linear"));
    assert_eq!(rule, "'bytes<9' is no condition; allowed: bytes<=N, ranks<=N");
}

#[test]
fn a_curve_names_the_line_of_a_mistake() {
    let head = "message_bytes,one_way_s_per_byte,two_way_s_per_byte\n";
    for (text, error) in [
        (
            "",
            ":1: there is no column message_bytes; needed: message_bytes, one_way_s_per_byte, \
              two_way_s_per_byte",
        ),
        ("message_bytes,one_way_s_per_byte,two_way_s_per_byte\n", ":1: there is no row"),
        (&format!("{head}8,1,x\n"), ":2: two_way_s_per_byte is 'x', must be a number above 0"),
        (
            &format!("{head}8,1,1\n16,0,1\n"),
            ":3: one_way_s_per_byte is '0', must be a number above 0",
        ),
        (&format!("{head}8,1,1\n8,1,1\n"), ":3: message_bytes must rise from row to row"),
    ] {
        assert_eq!(Curve::parse(text).unwrap_err(), error);
    }
}
