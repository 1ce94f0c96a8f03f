//! The committed catalogue is what the code says.

use serde_json::Value;
use std::path::Path;

fn committed() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs/catalogue.json");
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn the_committed_file_is_what_the_command_prints() {
    assert_eq!(committed(), catalogue::text(), "run: make catalogue");
}

#[test]
fn it_is_json_with_every_part() {
    let read: Value = serde_json::from_str(&catalogue::text()).unwrap();
    for part in ["topologies", "patterns", "workloads", "engines"] {
        assert!(!read[part].is_null(), "{part}");
    }
    let metrics = read["engines"]["packet"]["metrics"].as_array().unwrap();
    assert!(metrics.iter().any(|metric| metric["unit"] == "cycle"));
}
