//! The exchanges of all with all on tori beside the same ones in SimGrid's SMPI (`data/smpi`).

use crate::shard::{folder, journal, point, run};
use serde_json::{Value, json};

/// A row of SMPI's.
struct Row {
    sizes: Value,
    ranks: u32,
    program: &'static str,
    bytes: u64,
    time_s: f64,
    /// What the busiest links of all steps carry, and latencies, one step after the other.
    lockstep_s: f64,
}

/// Rows of 256 ranks without overheads, but for the largest messages, which take seconds: those are
/// in `benchmarks/smpi.py`.
fn rows() -> Vec<Row> {
    let text = include_str!("../data/smpi/alltoall_torus.csv");
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let is_xor = fields[3] == "xor";
        let row = Row {
            sizes: json!([8, 8, 4]),
            ranks: fields[2].parse().unwrap(),
            program: if is_xor { "alltoall_pairwise" } else { "alltoall_ring" },
            bytes: fields[4].parse().unwrap(),
            time_s: fields[8].parse().unwrap(),
            lockstep_s: fields[15].parse().unwrap(),
        };
        let is_wanted = row.ranks == 256 && fields[12] == "pure";
        (is_wanted && row.bytes < 65_536).then_some(row)
    };
    text.lines().skip(1).filter_map(row).collect()
}

/// 100 ns for each channel between routers and 16 bytes for each message, as in SMPI.
fn exchange(id: usize, row: &Row) -> Value {
    let mut point = point("alltoall", row.ranks);
    point["point_id"] = json!(format!("{id:03}"));
    point["topology"] = json!({"kind": "torus", "ties": "plus", "sizes": row.sizes});
    point["workload"]["source"] =
        json!(format!("{}/../../programs/{}.c", env!("CARGO_MANIFEST_DIR"), row.program));
    point["workload"]["arguments"] = json!([(row.bytes + 16).to_string()]);
    point["network"] =
        json!({"bandwidth_bytes_per_s": 4e9, "latency_s": 0.0, "hop_latency_s": 100e-9});
    point["options"]["payload"] = json!("sizes");
    point["options"]["eager_limit_bytes"] = json!(1 << 20);
    point
}

/// Not the same, since SMPI's flows share links without waiting. Small messages take as long to 4 %.
/// From 4 KiB on, packets of ranks that have run ahead wait in front of others' (head of line), which
/// costs 36 to 72 %. With 32 virtual channels and switches for each, 4 KiB take 24 % longer than
/// SMPI's, and 16 % with messages of one packet.
#[test]
fn exchanges_take_about_as_long_as_in_smpi() {
    let rows = rows();
    assert_eq!(rows.len(), 6);
    let points: Vec<Value> = rows.iter().enumerate().map(|(id, row)| exchange(id, row)).collect();
    let folder = folder("smpi-alltoall");
    let output = run(&folder, &points, "1");
    assert!(output.status.success(), "{output:?}");
    let lines = journal(&folder);
    for (id, row) in rows.iter().enumerate() {
        let line = lines.iter().find(|line| line["point_id"] == format!("{id:03}")).unwrap();
        let metrics = line["metrics"].as_array().unwrap();
        let found = metrics.iter().find(|m| m["metric"] == "program_time_s").unwrap();
        let time_s = found["value"].as_f64().unwrap();
        let Row { program, bytes, .. } = row;
        let (to_smpi, to_lockstep) = (time_s / row.time_s, time_s / row.lockstep_s);
        println!("{program}, {bytes} bytes: {to_smpi:.3} of SMPI's, {to_lockstep:.3} of lockstep");
        let most = if *bytes > 1024 { 1.8 } else { 1.05 };
        assert!((0.95..=most).contains(&to_smpi), "{program}, {bytes} bytes: {to_smpi} of SMPI's");
    }
}
