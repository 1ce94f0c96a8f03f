//! Receives whose call ends with the head of a message.

use crate::wire::{LATENCY, PER_BYTE};
use crate::world::{ANY, BYTE, WORLD, sample, world};
use mpi::Protocol;
use std::ptr::null_mut;

const BYTES: i32 = 1000;
const STREAM: u64 = BYTES as u64 * PER_BYTE;

/// Two ranks: the first one sends, the second one is the program.
fn received(program: impl Fn(&crate::world::Calls) + 'static) -> crate::world::Simulated {
    let run = world(2).run(move |c| match c.rank {
        0 => c.send(BYTES, 1, 3),
        _ => program(c),
    });
    run.unwrap().1
}

#[test]
fn the_call_ends_with_the_head_and_the_request_with_the_message() {
    for source in [0, ANY] {
        let machine = received(move |c| {
            let rest = c.recv_head(BYTES, source, 3);
            c.note("head_s");
            assert_eq!(c.wait(rest).source, 0);
            c.note("all_s");
        });
        assert_eq!(sample(&machine, "head_s"), LATENCY);
        assert_eq!(sample(&machine, "all_s"), LATENCY + STREAM);
    }
}

/// A receive that begins between head and tail gets the head at once, one that begins later everything.
#[test]
fn a_head_waits_for_its_receive() {
    for (late, head) in [(LATENCY + 10, LATENCY + 10), (LATENCY + 2 * STREAM, LATENCY + 2 * STREAM)]
    {
        let machine = received(move |c| {
            c.compute(late);
            let rest = c.recv_head(BYTES, 0, 3);
            c.note("head_s");
            c.wait(rest);
            c.note("all_s");
        });
        assert_eq!(sample(&machine, "head_s"), head);
        assert_eq!(sample(&machine, "all_s"), head.max(LATENCY + STREAM));
    }
}

/// An earlier receive of the whole message is first in turn, with the head already there or not.
#[test]
fn a_head_goes_to_no_later_receive() {
    for late in [0, LATENCY + 10] {
        let run = world(2).run(move |c| match c.rank {
            0 => {
                c.send(BYTES, 1, 3);
                c.compute(10 * LATENCY);
                c.send(BYTES, 1, 3);
            }
            _ => {
                c.compute(late);
                let whole = c.irecv(BYTES, 0, 3);
                let rest = c.recv_head(BYTES, 0, 3);
                c.note("head_s");
                c.wait(whole);
                c.wait(rest);
            }
        });
        assert_eq!(sample(&run.unwrap().1, "head_s"), 11 * LATENCY);
    }
}

/// The data of a rendezvous have a head of their own.
#[test]
fn a_rendezvous_has_a_head() {
    let protocol = Protocol { eager_limit_bytes: 0, ..Protocol::default() };
    let run = world(2).with(protocol).run(|c| match c.rank {
        0 => c.send(BYTES, 1, 3),
        _ => {
            let rest = c.recv_head(BYTES, 0, 3);
            c.note("head_s");
            c.wait(rest);
            c.note("all_s");
        }
    });
    let machine = run.unwrap().1;
    assert_eq!(sample(&machine, "head_s"), 3 * LATENCY);
    assert_eq!(sample(&machine, "all_s"), 3 * LATENCY + STREAM);
}

#[test]
fn the_data_are_there_with_the_request() {
    let run = world(2).run(|c| match c.rank {
        0 => c.send_number(42, 1, 0),
        _ => {
            let (mut value, mut request) = (-1, 0);
            let buffer: *mut i32 = &mut value;
            (c.host.recv_head)(buffer.cast(), 4, BYTE, 0, 0, WORLD, &mut request);
            c.wait(request);
            assert_eq!(value, 42);
        }
    });
    run.unwrap();
}

#[test]
fn a_rank_that_waits_for_a_head_is_named() {
    let error = world(2).error(|c| {
        if c.rank == 1 {
            c.recv_head(8, 0, 7);
        }
    });
    let expected =
        "rank 1 waits in MGEN_Recv_head for the head of a message from rank 0 with tag 7";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn a_message_that_does_not_fit_is_refused_at_its_head() {
    let error = world(2).error(|c| match c.rank {
        0 => {
            (c.host.send)(null_mut(), 100, BYTE, 1, 0, WORLD);
        }
        _ => {
            c.recv_head(8, 0, 0);
        }
    });
    assert!(
        error.contains("the message of 100 B from rank 0 with tag 0 does not fit in 8 B"),
        "{error}"
    );
}
