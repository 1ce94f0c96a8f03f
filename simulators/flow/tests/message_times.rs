//! Every message's finish time against independent implementations.

mod common;

use common::{fat_tree, job, message, number, rows};
use fabric::UpRouting;
use flow::{simulate, Job, Model};
use workload::{Messages, Outstanding};

/// Largest difference of finish times to a reference file in seconds beyond `relative` parts.
fn compare(
    name: &str,
    k: u32,
    model: Model,
    outstanding: Outstanding,
    absolute_s: f64,
    relative: f64,
) {
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
        assert!(
            difference_s <= absolute_s + relative * expected_s,
            "{name} message {}: {finish_s} instead of {expected_s}",
            row["msg_id"]
        );
    }
    println!("{name}: {} messages, largest difference {worst_s:e} s", rows.len());
}

/// The files print 1e-9 us: half of that is the rounding, the rest is for sums of rounded times.
const PRINTED_S: f64 = 1e-15;

fn equal_share(name: &str, k: u32, outstanding: Outstanding) {
    compare(name, k, Model::EqualShare, outstanding, PRINTED_S, 1e-9);
}

/// SimGrid solves to `maxmin/precision:1e-9` of a rate, at every event.
fn max_min(name: &str, k: u32, outstanding: Outstanding) {
    compare(name, k, Model::MaxMin, outstanding, PRINTED_S, 1e-9);
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
