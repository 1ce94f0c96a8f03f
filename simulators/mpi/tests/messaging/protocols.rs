//! Times of eager, rendezvous and zero copy without contention.

use crate::wire::{LATENCY, PER_BYTE};
use crate::world::{World, sample, world};
use mpi::Protocol;

const SEND: u64 = 200_000;
const RECEIVE: u64 = 300_000;
/// Picoseconds of a byte at the memory's rate.
const COPY: u64 = 100;

fn costly() -> Protocol {
    Protocol {
        send_overhead: SEND,
        receive_overhead: RECEIVE,
        memory_bytes_per_s: 1e12 / COPY as f64,
        ..Protocol::default()
    }
}

/// One message from rank 0 to rank 1: when the sender goes on, and when the receiver does.
fn one_message(protocol: Protocol, bytes: i32) -> (u64, u64) {
    let done = world(2).with(protocol).run(move |c| match c.rank {
        0 => {
            c.send(bytes, 1, 7);
            c.note("sent_s");
        }
        _ => {
            c.recv(bytes, 0, 7);
            c.note("received_s");
        }
    });
    let (_, machine) = done.unwrap();
    (sample(&machine, "sent_s"), sample(&machine, "received_s"))
}

#[test]
fn an_eager_message_is_copied_on_both_sides_and_its_sender_goes_on() {
    let bytes = 1000;
    let (sent, received) = one_message(costly(), bytes as i32);
    assert_eq!(sent, SEND + bytes * COPY);
    assert_eq!(received, sent + bytes * PER_BYTE + LATENCY + bytes * COPY + RECEIVE);
}

#[test]
fn a_rendezvous_asks_first_and_ends_for_the_sender_with_its_copy() {
    let bytes = 20_000;
    let (sent, received) = one_message(costly(), bytes as i32);
    assert_eq!(sent, SEND + 2 * LATENCY + bytes * COPY);
    assert_eq!(received, sent + bytes * PER_BYTE + LATENCY + bytes * COPY + RECEIVE);
}

#[test]
fn zero_copy_ends_for_the_sender_when_the_memory_was_read() {
    let bytes = 20_000;
    let protocol = Protocol { zero_copy_limit_bytes: bytes, ..costly() };
    let (sent, received) = one_message(protocol, bytes as i32);
    assert_eq!(sent, SEND + 2 * LATENCY + bytes * PER_BYTE);
    assert_eq!(received, sent + LATENCY + RECEIVE);
}

#[test]
fn the_eager_limit_itself_is_eager() {
    let at_limit = one_message(Protocol::default(), 16 << 10).0;
    let above = one_message(Protocol::default(), (16 << 10) + 1).0;
    assert_eq!((at_limit, above), (0, 2 * LATENCY + ((16 << 10) + 1) * PER_BYTE));
}

#[test]
fn a_synchronous_send_waits_for_its_receive() {
    let (_, machine) = world(2)
        .run(|c| match c.rank {
            0 => {
                (c.host.ssend)(std::ptr::null(), 8, crate::world::BYTE, 1, 0, 1);
                c.note("sent_s");
            }
            _ => {
                c.compute(10 * LATENCY);
                c.recv(8, 0, 0);
            }
        })
        .unwrap();
    assert_eq!(sample(&machine, "sent_s"), 11 * LATENCY + 8 * PER_BYTE);
}

#[test]
fn a_late_receive_copies_when_it_is_posted() {
    let bytes = 1000;
    let (_, machine) = world(2)
        .with(Protocol { memory_bytes_per_s: 1e12 / COPY as f64, ..Protocol::default() })
        .run(move |c| match c.rank {
            0 => c.send(bytes as i32, 1, 0),
            _ => {
                c.compute(20 * LATENCY);
                c.recv(bytes as i32, 0, 0);
                c.note("received_s");
            }
        })
        .unwrap();
    assert_eq!(sample(&machine, "received_s"), 20 * LATENCY + bytes * COPY);
}

#[test]
fn a_rank_makes_one_copy_at_a_time() {
    let bytes: u64 = 16_000;
    let time = world(3)
        .with(Protocol { memory_bytes_per_s: 1e12 / COPY as f64, ..Protocol::default() })
        .time(move |c| match c.rank {
            0 => {
                c.recv(bytes as i32, 1, 0);
                c.recv(bytes as i32, 2, 0);
            }
            _ => c.send(bytes as i32, 0, 0),
        });
    assert_eq!(time, 3 * bytes * COPY + bytes * PER_BYTE + LATENCY);
}

#[test]
fn inside_a_node_the_transfer_is_the_senders_copy() {
    let bytes = 1000;
    let one_node = World { nodes: vec![0, 0], protocol: costly() };
    let time = one_node.time(move |c| match c.rank {
        0 => c.send(bytes as i32, 1, 0),
        _ => _ = c.recv(bytes as i32, 0, 0),
    });
    assert_eq!(time, SEND + bytes * COPY + RECEIVE);
}

#[test]
fn an_exchange_takes_as_long_as_one_way() {
    let time = world(2).with(costly()).time(|c| c.sendrecv(64, 1 - c.rank));
    assert_eq!(time, SEND + 64 * (2 * COPY + PER_BYTE) + LATENCY + RECEIVE);
}

#[test]
fn ranks_that_compute_and_send_keep_their_own_time() {
    let (_, machine) = world(2)
        .run(|c| match c.rank {
            0 => {
                for _ in 0..3 {
                    c.compute(5 * LATENCY);
                    c.send(0, 1, 0);
                }
            }
            _ => {
                for _ in 0..3 {
                    c.recv(0, 0, 0);
                }
            }
        })
        .unwrap();
    let handed: Vec<u64> = machine.transport.sent.iter().map(|(at, _)| *at).collect();
    assert_eq!(handed, [5 * LATENCY, 10 * LATENCY, 15 * LATENCY]);
}
