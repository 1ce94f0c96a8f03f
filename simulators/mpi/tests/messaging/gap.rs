//! Costs by size with a measured gap: a rank is busy for it with each message, two ranks alone take
//! exactly the curves, and messages that cross take both ways.

use crate::costs::{SIZES, curves, ps, times, with};
use crate::world::{World, sample, world};
use engine::Curves;
use mpi::time::Time;
use mpi::{Alone, Costs, Protocol};
use serde_json::{Value, json};

/// With a gap that is shorter than half of both ways, as overlap makes it.
pub fn overlapping() -> Curves {
    Curves { gap: Some(times(1000.0, 700.0)), ..curves() }
}

fn overlapping_world(ranks: u32) -> World {
    world(ranks).with(with(overlapping()))
}

#[test]
fn a_gap_changes_neither_one_way_nor_both_ways() {
    for bytes in SIZES {
        let round_trip = overlapping_world(2).time(move |c| match c.rank {
            0 => {
                c.send(bytes as i32, 1, 0);
                c.recv(bytes as i32, 1, 0);
            }
            _ => {
                c.recv(bytes as i32, 0, 0);
                c.send(bytes as i32, 0, 0);
            }
        });
        assert_eq!(round_trip, 2 * ps(&curves().one_way, bytes), "{bytes} B");
        let exchange = overlapping_world(2).time(move |c| c.sendrecv(bytes as i32, 1 - c.rank));
        assert_eq!(exchange, ps(curves().two_way(), bytes), "{bytes} B");
    }
}

#[test]
fn eager_messages_of_a_stream_follow_each_other_after_the_gap() {
    const MANY: u64 = 5;
    for bytes in [0, 500, 1000] {
        let time = overlapping_world(2).time(move |c| {
            for _ in 0..=MANY {
                match c.rank {
                    0 => c.send(bytes as i32, 1, 0),
                    _ => {
                        c.recv(bytes as i32, 0, 0);
                    }
                }
            }
        });
        let gap = ps(overlapping().gap.as_ref().unwrap(), bytes);
        assert_eq!(time, ps(&curves().one_way, bytes) + MANY * gap, "{bytes} B");
    }
}

/// The receiver is busy for the gap with each message, not for half of both ways.
#[test]
fn messages_from_many_ranks_are_taken_in_a_gap_apart() {
    let bytes = 500;
    let time = overlapping_world(4).time(move |c| match c.rank {
        0 => {
            for source in 1..4 {
                c.recv(bytes, source, 0);
            }
        }
        _ => c.send(bytes, 0, 0),
    });
    let gap = ps(overlapping().gap.as_ref().unwrap(), bytes as u64);
    assert_eq!(time, ps(&curves().one_way, bytes as u64) + 2 * gap);
}

/// So that ranks which enter a barrier apart do not leave it further apart.
#[test]
fn messages_that_cross_take_both_ways_from_when_the_first_has_left() {
    let bytes = 500;
    let late = ps(&curves().one_way, bytes as u64) / 4;
    let time = overlapping_world(2).time(move |c| {
        c.compute(late * c.rank as Time);
        c.sendrecv(bytes, 1 - c.rank);
    });
    assert_eq!(time, ps(curves().two_way(), bytes as u64));
}

/// As measured between two processes on a machine: both ways of 0 B take a send and one way.
fn measured() -> Curves {
    let pieces = |start_ns: f64, byte_ns: f64, long_ns: f64| {
        let piece = |from: u64, ns: f64, byte_ns: f64| json!({"from_bytes": from, "time_s": ns * 1e-9, "byte_time_s": byte_ns * 1e-9});
        let pieces = [piece(0, start_ns, byte_ns), piece(10_001, long_ns, 0.5)];
        serde_json::from_value(Value::from(pieces.to_vec())).unwrap()
    };
    Curves {
        eager_limit_bytes: Some(10_000),
        one_way: pieces(4000.0, 0.5, 12_000.0),
        two_way: Some(pieces(6100.0, 1.0, 19_000.0)),
        gap: Some(pieces(1950.0, 0.25, 11_000.0)),
        duplex: None,
        sent: None,
        copying: None,
        put: None,
    }
}

/// How long the slower of two ranks takes for an exchange behind a barrier that they enter apart: one
/// when its send is done, the other when it has received. With the shortest messages the latter calls its
/// send of the barrier when it could begin to take in the message of the barrier.
fn exchange_behind_a_barrier(bytes: i32) -> Time {
    let (_, machine) = world(2)
        .with(with(measured()))
        .run(move |c| {
            match c.rank {
                0 => {
                    c.recv(bytes, 1, 0);
                }
                _ => c.send(bytes, 0, 0),
            }
            c.sendrecv(0, 1 - c.rank);
            let start = c.time();
            c.sendrecv(bytes, 1 - c.rank);
            c.took("exchange_s", start);
        })
        .unwrap();
    sample(&machine, "exchange_s")
}

/// Ranks leave the barrier apart: one waits for one way, the other sends and takes in what is there.
#[test]
fn an_exchange_behind_a_barrier_takes_the_curve_of_both_ways() {
    for bytes in [0, 1, 500, 10_000, 10_001, 300_000] {
        let both = ps(measured().two_way(), bytes as u64);
        assert_eq!(exchange_behind_a_barrier(bytes), both, "{bytes} B");
    }
}

/// Until then the sender's question is on its way, and nobody waits for the receiver.
#[test]
fn a_rendezvous_waits_for_a_receiver_that_calls_later_than_the_question_takes() {
    let asking = ps(&measured().one_way, 0);
    for bytes in [10_001, 300_000] {
        let one_way = ps(&measured().one_way, bytes);
        for (late, waited) in [(0, 0), (asking / 2, 0), (asking, 0), (asking + 700, 700)] {
            let time = world(2).with(with(measured())).time(move |c| match c.rank {
                0 => c.send(bytes as i32, 1, 0),
                _ => {
                    c.compute(late);
                    c.recv(bytes as i32, 0, 0);
                }
            });
            assert_eq!(time, one_way + waited, "{bytes} B, {late} ps later");
        }
    }
}

/// A message that is received before another is sent crosses nothing.
#[test]
fn a_chain_takes_one_way_for_each_link() {
    let bytes = 500;
    let time = overlapping_world(3).time(move |c| {
        if c.rank > 0 {
            c.recv(bytes, c.rank - 1, 0);
        }
        if c.rank < 2 {
            c.send(bytes, c.rank + 1, 0);
        }
    });
    assert_eq!(time, 2 * ps(&curves().one_way, bytes as u64));
}

/// Two ranks send each other so many messages at once.
fn two_streams(curves: Curves, bytes: i32, many: usize) -> Time {
    world(2).with(with(curves)).time(move |c| {
        let peer = 1 - c.rank;
        let received: Vec<i32> = (0..many).map(|_| c.irecv(bytes, peer, 0)).collect();
        let sent: Vec<i32> = (0..many).map(|_| c.isend(bytes, peer, 0)).collect();
        for request in received.into_iter().chain(sent) {
            c.wait(request);
        }
    })
}

/// A rank that sends and receives at the same time needs for both no more than what was measured.
#[test]
fn messages_of_two_streams_are_as_far_apart_as_was_measured() {
    let apart = |many, curves: Curves| {
        (two_streams(curves.clone(), 500, 2 * many) - two_streams(curves, 500, many)) / many as Time
    };
    let gap = ps(overlapping().gap.as_ref().unwrap(), 500);
    assert_eq!(apart(20, overlapping()), 2 * gap);
    for (start_ns, wanted) in [(1500.0, 1_750_000), (900.0, gap), (9000.0, 2 * gap)] {
        let duplex = Some(times(start_ns, 700.0));
        assert_eq!(apart(20, Curves { duplex, ..overlapping() }), wanted, "{start_ns} ns");
    }
}

#[test]
fn two_streams_do_not_hasten_one() {
    let curves = Curves { duplex: Some(times(1100.0, 700.0)), ..overlapping() };
    let time = world(2).with(with(curves)).time(|c| {
        for _ in 0..=5 {
            match c.rank {
                0 => c.send(500, 1, 0),
                _ => {
                    c.recv(500, 0, 0);
                }
            }
        }
    });
    let gap = ps(overlapping().gap.as_ref().unwrap(), 500);
    assert_eq!(time, ps(&overlapping().one_way, 500) + 5 * gap);
}

#[test]
fn a_copy_takes_what_was_measured_or_nothing() {
    let copying = Some(times(100.0, 50.0));
    for (curves, wanted) in [
        (Curves { copying: copying.clone(), ..overlapping() }, ps(&times(100.0, 50.0), 2000)),
        (overlapping(), 0),
    ] {
        let time = world(2).with(with(curves)).time(|c| (c.host.copy)(2000));
        assert_eq!(time, wanted);
    }
    // Memory is that of a node.
    let between = Costs::new(overlapping(), Alone::NOTHING);
    let inside = Costs::new(Curves { copying, ..overlapping() }, Alone::NOTHING);
    let (between_nodes, inside_node) = (Some(Box::new(between)), Some(Box::new(inside)));
    let protocol = Protocol { between_nodes, inside_node, ..Protocol::default() };
    let time = world(2).with(protocol).time(|c| (c.host.copy)(2000));
    assert_eq!(time, ps(&times(100.0, 50.0), 2000));
}
