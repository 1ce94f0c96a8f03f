//! Start-up delays, earliest starts, and messages that cross no channel.

use crate::common::{fat_tree, job};
use fabric::UpRouting;
use flow::{Job, Model, simulate};
use workload::{Message, Messages, Outstanding};

const BANDWIDTH_BYTES_PER_S: f64 = 125e6;

fn message(src: u32, dst: u32, bytes: u64, start_s: f64) -> Message {
    Message { src, dst, bytes, start_s }
}

/// Finish times in microseconds on a 2-ary 3-tree, 125 bytes taking 1 us alone.
fn finish_us(list: &[Message], latency_s: f64, hop_latency_s: f64) -> Vec<f64> {
    let fabric = fat_tree(2, 3, UpRouting::Dmodk);
    let messages = Messages::explicit(8, list);
    let mut both = [Model::EqualShare, Model::MaxMin].map(|model| {
        let plain = job(&fabric, &messages, model);
        assert_eq!(plain.bandwidth_bytes_per_s, BANDWIDTH_BYTES_PER_S);
        simulate(&Job { latency_s, hop_latency_s, ..plain }).finish_s
    });
    let times = std::mem::take(&mut both[0]);
    for (a, b) in times.iter().zip(&both[1]) {
        assert!((a - b).abs() < 1e-15, "the models agree on these lists");
    }
    times.iter().map(|time_s| (time_s * 1e6 * 1e6).round() / 1e6).collect()
}

#[test]
fn a_message_alone_takes_latency_hops_and_its_bytes() {
    let list = [message(0, 7, 125, 0.0)];
    assert_eq!(finish_us(&list, 3e-6, 0.5e-6), [3.0 + 4.0 * 0.5 + 1.0]);
}

#[test]
fn nodes_of_one_router_have_no_hop() {
    let list = [message(0, 1, 125, 0.0)];
    assert_eq!(finish_us(&list, 3e-6, 0.5e-6), [4.0]);
}

#[test]
fn a_message_in_its_delay_takes_no_share() {
    let list = [message(0, 1, 125, 0.0), message(7, 1, 125, 0.0)];
    assert_eq!(finish_us(&list, 0.0, 0.5e-6), [1.0, 3.0]);
}

#[test]
fn two_messages_to_one_node_share_its_ejection_channel() {
    let list = [message(0, 1, 125, 0.0), message(7, 1, 125, 0.5e-6)];
    assert_eq!(finish_us(&list, 0.0, 0.0), [1.5, 2.0]);
}

#[test]
fn a_message_to_oneself_takes_its_bytes_alone() {
    let list = [message(3, 3, 125, 0.0), message(3, 3, 250, 0.0)];
    assert_eq!(finish_us(&list, 5e-6, 5e-6), [1.0, 3.0]);
}

#[test]
fn an_empty_message_takes_its_delay() {
    let list = [message(0, 7, 0, 0.0), message(0, 7, 0, 0.0)];
    assert_eq!(finish_us(&list, 1e-6, 0.0), [1.0, 2.0]);
    assert_eq!(finish_us(&list, 0.0, 0.0), [0.0, 0.0]);
}

#[test]
fn an_earliest_start_delays_the_next_messages_of_its_node() {
    let list = [message(0, 7, 125, 5e-6), message(0, 7, 125, 0.0)];
    assert_eq!(finish_us(&list, 0.0, 0.0), [6.0, 7.0]);
}

#[test]
fn outstanding_limits_how_many_messages_share_the_injection_channel() {
    let fabric = fat_tree(2, 3, UpRouting::Dmodk);
    let list: Vec<Message> = (1..=4).map(|dst| message(0, dst, 125, 0.0)).collect();
    let messages = Messages::explicit(8, &list);
    let first_us = |outstanding| {
        let plain = job(&fabric, &messages, Model::EqualShare);
        let outcome = simulate(&Job { outstanding, ..plain });
        assert!((outcome.end_s - 4e-6).abs() < 1e-15);
        (outcome.finish_s[0] * 1e6).round()
    };
    assert_eq!(first_us(Outstanding::AtMost(1)), 1.0);
    assert_eq!(first_us(Outstanding::AtMost(2)), 2.0);
    assert_eq!(first_us(Outstanding::All), 4.0);
}
