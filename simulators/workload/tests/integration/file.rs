//! Message lists from CSV files.

use proptest::prelude::*;
use std::path::PathBuf;
use workload::read_messages;

/// A CSV file in a folder of its own.
fn csv(name: &str, text: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("weft-csv-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn refusal(name: &str, text: &str) -> String {
    read_messages(&csv(name, text), 4).unwrap_err()
}

#[test]
fn messages_keep_their_order_per_source() {
    let path = csv("order.csv", "src,dst,bytes,start_s\n2,0,5,0\n0,1,7,1e-6\n2,3,6,0\n");
    let messages = read_messages(&path, 4).unwrap();
    assert_eq!(messages.len(), 3);
    assert_eq!(messages.range(2), 1..3);
    assert_eq!((messages.dst(1), messages.bytes(1)), (0, 5));
    assert_eq!((messages.dst(2), messages.bytes(2)), (3, 6));
    assert_eq!(messages.earliest_s(0), 1e-6);
    assert_eq!([0, 1, 2].map(|message| messages.id(message)), [1, 0, 2]);
}

#[test]
fn a_quoted_header_is_a_header() {
    let path = csv("quoted.csv", "\"src\",\"dst\",\"bytes\",\"start\"\n0,1,7,0.5\n");
    let messages = read_messages(&path, 4).unwrap();
    assert_eq!((messages.bytes(0), messages.earliest_s(0)), (7, 0.5));
}

#[test]
fn a_node_out_of_range_is_named_with_file_and_line() {
    let text = refusal("range.csv", "src,dst,bytes\n0,1,8\n0,4,8\n");
    assert!(text.ends_with("range.csv:3: dst is 4, must be a node within 0..4"), "{text}");
}

#[test]
fn a_negative_size_is_named_with_file_and_line() {
    let text = refusal("size.csv", "src,dst,bytes\n0,1,-8\n");
    assert!(
        text.ends_with("size.csv:2: bytes is -8, must be an integer within 0..1125899906842624"),
        "{text}"
    );
}

#[test]
fn what_no_simulation_can_hold_is_named_with_file_and_line() {
    let late = |start: &str| format!("src,dst,bytes,start_s\n0,1,8,0\n\n0,1,8,{start}\n");
    let words = |start: &str| refusal("late.csv", &late(start));
    assert!(
        words("1e300").ends_with("late.csv:4: start_s is 1e300, must be a number within 0..1e9")
    );
    assert!(words("nan").ends_with("late.csv:4: start_s is nan, must be a number within 0..1e9"));
    let text = refusal("huge.csv", "src,dst,bytes\n0,1,18446744073709551615\n");
    assert!(text.contains("huge.csv:2: bytes is 18446744073709551615, must be"), "{text}");
}

#[test]
fn a_mark_of_the_encoding_is_no_part_of_the_header() {
    let path = csv("mark.csv", "\u{feff}src,dst,bytes\r\n0,1,7\r\n");
    assert_eq!(read_messages(&path, 4).unwrap().bytes(0), 7);
}

#[test]
fn a_missing_header_a_short_line_and_a_bad_start_are_refused() {
    assert!(refusal("header.csv", "0,1,8\n").contains("header.csv:1: the header must be"));
    assert!(refusal("short.csv", "src,dst,bytes\n0,1\n").contains("2 fields instead of 3"));
    assert!(refusal("start.csv", "src,dst,bytes,start_s\n0,1,8,-1\n").contains("start_s is -1"));
    assert!(refusal("empty.csv", "src,dst,bytes\n").contains("no messages"));
}

#[test]
fn a_missing_file_is_named() {
    let text = read_messages(&PathBuf::from("absent.csv"), 4).unwrap_err();
    assert!(text.starts_with("absent.csv: "), "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    /// Whatever a file holds, it is a list of messages between nodes or a sentence with its name.
    #[test]
    fn any_file_is_read_or_refused(text in "(src,dst,bytes(,start_s)?\n)?([0-9e,.\"-]{0,12}\n){0,4}\\PC{0,6}") {
        let path = csv("any.csv", &text);
        match read_messages(&path, 4) {
            Ok(messages) => prop_assert!(!messages.is_empty()),
            Err(error) => prop_assert!(error.contains("any.csv:"), "{}", error),
        }
    }
}
