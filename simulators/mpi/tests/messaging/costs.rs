//! Costs by size: two ranks alone take exactly the curves, and a rank with more to do takes one message
//! after the other.

use crate::wire::{LATENCY, PER_BYTE};
use crate::world::{World, sample, world};
use engine::{Curves, TimesBySize};
use mpi::time::Time;
use mpi::{Alone, Costs, Protocol};
use serde_json::{Value, json};

/// Protocols change behind 1,000 B (a jump) and behind 10,000 B (rendezvous).
pub const SIZES: [u64; 8] = [0, 1, 500, 1000, 1001, 10_000, 10_001, 300_000];

pub fn times(start_ns: f64, jump_ns: f64) -> TimesBySize {
    let piece = |from: u64, ns: f64, byte_ns: f64| json!({"from_bytes": from, "time_s": ns * 1e-9, "byte_time_s": byte_ns * 1e-9});
    let pieces = [
        piece(0, start_ns, 0.5),
        piece(1001, start_ns + jump_ns, 0.75),
        piece(10_001, 5.0 * start_ns + jump_ns, 1.5),
    ];
    serde_json::from_value(Value::from(pieces.to_vec())).unwrap()
}

pub fn curves() -> Curves {
    Curves {
        eager_limit_bytes: Some(10_000),
        one_way: times(4000.0, 3000.0),
        two_way: Some(times(6000.0, 4000.0)),
        gap: None,
        duplex: None,
        sent: None,
        copying: None,
        put: Some(times(9000.0, 5000.0)),
    }
}

fn alone() -> Alone {
    let latency_s = LATENCY as f64 * 1e-12;
    Alone { start_s: latency_s, byte_s: PER_BYTE as f64 * 1e-12, control_s: latency_s }
}

fn costly() -> Protocol {
    with(curves())
}

pub fn with(curves: Curves) -> Protocol {
    let between_nodes = Some(Box::new(Costs::new(curves, alone())));
    Protocol { between_nodes, ..Protocol::default() }
}

pub fn ps(times: &TimesBySize, bytes: u64) -> Time {
    (times.seconds(bytes) * 1e12).round() as Time
}

fn costly_world(ranks: u32) -> World {
    world(ranks).with(costly())
}

#[test]
fn a_ping_pong_takes_the_curve_of_one_way() {
    for bytes in SIZES {
        let time = costly_world(2).time(move |c| {
            for turn in 0..4 {
                match turn % 2 == c.rank {
                    true => c.send(bytes as i32, 1 - c.rank, 0),
                    false => {
                        c.recv(bytes as i32, 1 - c.rank, 0);
                    }
                }
            }
        });
        // The last sender's processor may be busy for longer than its message takes.
        let one_way = ps(&curves().one_way, bytes);
        assert_eq!(time, 4 * one_way, "{bytes} B");
    }
}

#[test]
fn two_ranks_that_send_to_each_other_take_the_curve_of_both_ways() {
    for bytes in SIZES {
        let both = ps(curves().two_way(), bytes);
        let exchange = costly_world(2).time(move |c| c.sendrecv(bytes as i32, 1 - c.rank));
        assert_eq!(exchange, both, "{bytes} B");
        let one_by_one = costly_world(2).time(move |c| {
            let sent = c.isend(bytes as i32, 1 - c.rank, 0);
            c.recv(bytes as i32, 1 - c.rank, 0);
            c.wait(sent);
        });
        assert_eq!(one_by_one, both, "{bytes} B");
    }
}

#[test]
fn a_put_takes_its_curve() {
    for bytes in SIZES {
        let time = costly_world(2).time(move |c| {
            if c.rank == 0 {
                (c.host.rdma_complete)((c.host.rdma_put)(1, bytes as i32, -1));
            }
        });
        assert_eq!(time, ps(curves().put(), bytes), "{bytes} B");
    }
}

#[test]
fn a_rank_sends_its_messages_as_far_apart_as_its_processor_needs() {
    for bytes in [500, 300_000] {
        let (_, machine) = costly_world(3)
            .run(move |c| match c.rank {
                0 => {
                    let requests = [1, 2].map(|dest| c.isend(bytes as i32, dest, 0));
                    for request in requests {
                        c.wait(request);
                    }
                }
                _ => {
                    c.recv(bytes as i32, 0, 0);
                    c.note(["", "first_s", "second_s"][c.rank as usize]);
                }
            })
            .unwrap();
        let (one, both) = (ps(&curves().one_way, bytes), ps(curves().two_way(), bytes));
        assert_eq!(sample(&machine, "first_s"), one);
        assert_eq!(sample(&machine, "second_s"), one + both / 2);
    }
}

#[test]
fn messages_to_one_rank_are_taken_in_one_after_the_other() {
    let bytes = 500;
    let time = costly_world(4).time(move |c| match c.rank {
        0 => {
            for source in 1..4 {
                c.recv(bytes, source, 0);
            }
        }
        _ => c.send(bytes, 0, 0),
    });
    let bytes = bytes as u64;
    assert_eq!(time, ps(&curves().one_way, bytes) + ps(curves().two_way(), bytes));
}

/// A message that waits for its receive has arrived already, and only the processor's part is left.
#[test]
fn a_late_receive_takes_in_what_has_arrived() {
    let bytes = 500;
    let late = 20 * LATENCY;
    let time = costly_world(2).time(move |c| match c.rank {
        0 => c.send(bytes, 1, 0),
        _ => {
            c.compute(late);
            c.recv(bytes, 0, 0);
        }
    });
    assert_eq!(time, late + ps(curves().two_way(), bytes as u64) / 2);
}

/// Both parts add up to both ways, also if these are an odd number of picoseconds.
#[test]
fn without_a_gap_the_receiver_has_the_smaller_half_of_both_ways() {
    let curves = Curves { two_way: Some(times(6000.001, 4000.0)), ..curves() };
    let late = 20 * LATENCY;
    let time = world(2).with(with(curves)).time(move |c| match c.rank {
        0 => c.send(0, 1, 0),
        _ => {
            c.compute(late);
            c.recv(0, 0, 0);
        }
    });
    assert_eq!(time, late + 3_000_000);
}

#[test]
fn ranks_on_one_node_have_curves_of_their_own() {
    let inside = Curves { one_way: times(200.0, 100.0), two_way: None, put: None, ..curves() };
    let inside_node = Some(Box::new(Costs::new(inside.clone(), Alone::NOTHING)));
    let protocol = Protocol { inside_node, ..costly() };
    for bytes in SIZES {
        let world = World { nodes: vec![3, 3], protocol: protocol.clone() };
        let time = world.time(move |c| match c.rank {
            0 => c.send(bytes as i32, 1, 0),
            _ => {
                c.recv(bytes as i32, 0, 0);
            }
        });
        assert_eq!(time, ps(&inside.one_way, bytes), "{bytes} B");
    }
}

#[test]
fn the_limit_of_the_curves_decides_what_is_eager() {
    for (bytes, waits) in [(10_000, false), (10_001, true)] {
        let (_, machine) = costly_world(2)
            .run(move |c| match c.rank {
                0 => {
                    c.send(bytes, 1, 0);
                    c.note("sent_s");
                }
                _ => {
                    c.compute(100 * LATENCY);
                    c.recv(bytes, 0, 0);
                }
            })
            .unwrap();
        assert_eq!(sample(&machine, "sent_s") > 100 * LATENCY, waits, "{bytes} B");
    }
}
