//! Every message's finish time against independent implementations.

use crate::common::{fat_tree, job, message, number, rows};
use fabric::UpRouting;
use flow::{Job, Model, simulate};
use workload::{Messages, Outstanding};

/// Checks all finish times; `slack_s` is allowed once per message that its node has sent so far.
fn compare(name: &str, k: u32, model: Model, outstanding: Outstanding, slack_s: f64) {
    let rows = rows(name);
    let list: Vec<_> = rows.iter().map(|row| message(row, number(row, "bytes") as u64)).collect();
    let fabric = fat_tree(k, 3, UpRouting::Dmodk);
    let messages = Messages::explicit(fabric.nodes(), &list);
    let outcome = simulate(&Job { outstanding, ..job(&fabric, &messages, model) });
    assert_eq!(outcome.finish_s.len(), rows.len());
    let mut worst_s = 0.0_f64;
    for (row, finish_s) in rows.iter().zip(&outcome.finish_s) {
        let expected_s = number(row, "finish_us") * 1e-6;
        let difference_s = (finish_s - expected_s).abs();
        worst_s = worst_s.max(difference_s);
        let sent = number(row, "msg_id") as usize % PER_NODE + 1;
        assert!(
            difference_s <= PRINTED_S + slack_s * sent as f64,
            "{name} message {}: {finish_s} instead of {expected_s}",
            row["msg_id"]
        );
    }
    println!("{name}: {} messages, largest difference {worst_s:e} s", rows.len());
}

/// Messages of each node in all files.
const PER_NODE: usize = 10;

/// The files print 1e-9 us; half of that is rounding.
const PRINTED_S: f64 = 1e-15;

fn equal_share(name: &str, k: u32, outstanding: Outstanding) {
    compare(name, k, Model::EqualShare, outstanding, 0.0);
}

/// SimGrid ends a message up to `surf/precision` (1e-12 s) early, and the node's next one with it.
fn max_min(name: &str, k: u32, outstanding: Outstanding) {
    compare(name, k, Model::MaxMin, outstanding, 1e-12);
}

#[test]
fn equal_share_times_equal_the_reference_for_messages_one_after_another() {
    equal_share("mfsref_fattree3_k8_seq_seed1.csv.gz", 8, Outstanding::AtMost(1));
    equal_share("mfsref_fattree3_k10_seq_seed1.csv.gz", 10, Outstanding::AtMost(1));
    equal_share("mfsref_fattree3_k12_seq_seed1.csv.gz", 12, Outstanding::AtMost(1));
}

#[test]
fn equal_share_times_equal_the_reference_for_messages_all_at_once() {
    equal_share("mfsref_fattree3_k8_conc_seed1.csv.gz", 8, Outstanding::All);
}

#[test]
fn max_min_times_equal_simgrid_for_messages_one_after_another() {
    max_min("sg332_fattree3_k8_seq_seed1.csv.gz", 8, Outstanding::AtMost(1));
    max_min("sg332_fattree3_k10_seq_seed1.csv.gz", 10, Outstanding::AtMost(1));
}

#[test]
fn max_min_times_equal_simgrid_for_messages_all_at_once() {
    max_min("sg332_fattree3_k4_conc_seed1.csv.gz", 4, Outstanding::All);
    max_min("sg332_fattree3_k8_conc_seed1.csv.gz", 8, Outstanding::All);
}
