//! The shipped barriers of puts beside the same barriers in SimGrid's SMPI (`data/smpi`).
//!
//! Ours wait, at the end, for the control packet of their last put: SMPI has none, so its time is
//! taken off.

use crate::shard::{folder, journal, point, run};
use serde_json::{Value, json};

/// Two cables and a switch, which are 141.2 ns, and the 16 bytes that SMPI adds to a message.
const ANSWER_NS: f64 = 141.2 + 16.0 / 4.0;
/// A message of 24 bytes on a link, and a control packet.
const ON_LINK_NS: f64 = 24.0 / 4.0;
const CONTROL_NS: f64 = 16.0 / 4.0;

/// A row of SMPI's.
struct Row {
    program: &'static str,
    is_put: bool,
    ranks: u32,
    node_latency_ns: f64,
    time_ns: f64,
    /// How much later the last rank ends if transfers begin when their receive is posted.
    late_ns: f64,
}

fn rows() -> Vec<Row> {
    let text = include_str!("../data/smpi/barriers.csv");
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |column: usize| fields[column].parse::<f64>().unwrap();
        let program =
            if fields[1] == "ring" { "barrier_ring" } else { "barrier_recursive_doubling" };
        Row {
            program,
            is_put: fields[2] == "put",
            ranks: number(3) as u32,
            node_latency_ns: number(4),
            time_ns: 1e3 * number(8),
            late_ns: 1e3 * (number(10) - number(9)),
        }
    };
    text.lines().skip(1).map(row).collect()
}

fn barrier(id: usize, row: &Row) -> Value {
    let mut point = point("barrier", row.ranks);
    point["point_id"] = json!(format!("{id:03}"));
    point["workload"]["source"] =
        json!(format!("{}/../../programs/{}.c", env!("CARGO_MANIFEST_DIR"), row.program));
    point["network"] = json!({
        "bandwidth_bytes_per_s": 4e9,
        "packet": {"mtu_bytes": 2048, "header_bytes": 16, "control_bytes": 0, "flit_bytes": 8},
        "router": {"routing_s": 4e-9, "vc_allocation_s": 4e-9, "switch_allocation_s": 4e-9,
                   "switch_s": 128e-9},
        "cables": {"cable_s": 0.6e-9},
        "software": {"put_s": row.node_latency_ns * 1e-9},
    });
    point
}

/// Each row with our time in nanoseconds, without the last control packet.
fn compared() -> Vec<(Row, f64)> {
    let rows = rows();
    let points: Vec<Value> = rows.iter().enumerate().map(|(id, row)| barrier(id, row)).collect();
    let folder = folder("smpi-barriers");
    let output = run(&folder, &points, "1");
    assert!(output.status.success(), "{output:?}");
    let mut lines = journal(&folder);
    lines.sort_by_key(|line| line["point_id"].as_str().unwrap().to_owned());
    let time = |line: &Value| {
        let metrics = line["metrics"].as_array().unwrap();
        let found = metrics.iter().find(|m| m["metric"] == "program_time_s").unwrap();
        found["value"].as_f64().unwrap() * 1e9 - ANSWER_NS
    };
    let times: Vec<f64> = lines.iter().map(time).collect();
    rows.into_iter().zip(times).collect()
}

/// - Rings, and recursive doubling with a power of two: every put waits for the one before, so times
///   are the same to the last digit of SMPI's (0.1 ns in five digits of a microsecond).
/// - Recursive doubling with other numbers: ranks without a guest run ahead, and their puts meet
///   others at ports. Here each waits for a put at most, once per step; in SMPI both get slower, by
///   3 ns at most. SMPI's send and receive begin when the receive is posted, up to a whole path later.
/// - Without node latency a put waits until its NIC has sent the control packet of the last one.
/// - SMPI's puts end when the receiver asks next: 0 to 87 ns later.
#[test]
fn barriers_take_as_long_as_in_smpi_up_to_its_late_start_and_polling() {
    let compared = compared();
    assert_eq!(compared.len(), 126);
    for (row, ours_ns) in compared {
        let Row { program, ranks, node_latency_ns, time_ns, is_put, late_ns } = row;
        let meets = program != "barrier_ring" && !ranks.is_power_of_two();
        let steps = f64::from(ranks.ilog2()) + 2.0;
        let puts = if program == "barrier_ring" { f64::from(ranks) - 1.0 } else { steps };
        let waits = if node_latency_ns == 0.0 { (puts - 1.0) * CONTROL_NS } else { 0.0 };
        let earlier = waits + if meets { steps * ON_LINK_NS } else { 0.0 };
        let later = match (is_put, meets) {
            (true, _) => 87.0,
            (false, true) => 3.0,
            (false, false) => 0.0,
        };
        let off = time_ns - ours_ns - if is_put { 0.0 } else { late_ns };
        assert!(
            (-earlier - 0.1..=later + 0.1).contains(&off),
            "{program}, {ranks} ranks, node latency {node_latency_ns} ns, put: {is_put}: SMPI \
             {time_ns} ns, ours {ours_ns} ns, allowed {earlier} ns below to {later} ns above"
        );
    }
}
