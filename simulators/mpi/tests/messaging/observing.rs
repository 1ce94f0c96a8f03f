//! What the observer gets, samples and counts.

use crate::wire::{LATENCY, PER_BYTE};
use crate::world::{WORLD, sample, world};
use mpi::Call;

#[test]
fn messages_are_reported_from_their_call_to_their_arrival() {
    let (_, machine) = world(2)
        .run(|c| match c.rank {
            0 => {
                c.compute(500);
                c.send(8, 1, 0);
            }
            _ => {
                c.recv(8, 0, 0);
                (c.host.rdma_complete)((c.host.rdma_get)(0, 4, 0));
            }
        })
        .unwrap();
    let arrived = 500 + LATENCY + 8 * PER_BYTE;
    let got = arrived + 2 * LATENCY + 4 * PER_BYTE;
    let reported = &machine.observer.messages;
    assert_eq!(*reported, [(0, 1, 8, 500, arrived), (0, 1, 4, arrived, got)]);
}

#[test]
fn calls_are_reported_with_their_times() {
    let (_, machine) = world(2)
        .run(|c| match c.rank {
            0 => {
                c.compute(2 * LATENCY);
                c.send(0, 1, 0);
            }
            _ => _ = c.recv(0, 0, 0),
        })
        .unwrap();
    let calls = [
        (0, "MGEN_Comp", 0, 2 * LATENCY, 0),
        (0, "MGEN_Send", 2 * LATENCY, 2 * LATENCY, 0),
        (1, "MGEN_Recv", 0, 3 * LATENCY, 3 * LATENCY),
    ];
    let calls = calls.map(|(rank, name, start, end, waited)| Call {
        rank,
        thread: 0,
        name,
        start,
        end,
        waited,
        is_inner: false,
    });
    assert_eq!(machine.observer.calls, calls);
}

#[test]
fn calls_inside_a_collective_lie_within_it() {
    let (_, machine) = world(2)
        .run(|c| {
            (c.host.enter)(c"MGEN_Barrier".as_ptr(), WORLD, -1);
            c.sendrecv(0, 1 - c.rank);
            (c.host.leave)();
        })
        .unwrap();
    let (last, others) = machine.observer.calls.split_last().unwrap();
    assert_eq!((last.name, last.start, last.end), ("MGEN_Barrier", 0, LATENCY));
    assert_eq!((last.waited, last.is_inner), (LATENCY, false));
    let inner = others.iter().filter(|call| call.is_inner);
    assert_eq!(inner.count(), others.len() - 1, "{others:?}");
}

#[test]
fn the_largest_sample_of_all_ranks_counts() {
    let (_, machine) = world(3)
        .run(|c| {
            let seconds = f64::from((c.rank * 2) % 3) * 1e-6;
            (c.host.sample)(c"exchange_time_s".as_ptr(), seconds);
        })
        .unwrap();
    assert_eq!(sample(&machine, "exchange_time_s"), 2_000_000);
}

#[test]
fn a_sample_needs_the_name_of_a_time() {
    let error = world(1).error(|c| (c.host.sample)(c"Rate".as_ptr(), 1.0));
    assert_eq!(
        error,
        "rank 0: MGEN_Sample: 'Rate' cannot name a metric: use lower-case letters, digits and _, and \
         end with _s"
    );
}

#[test]
fn messages_and_their_bytes_are_counted() {
    let (_, machine) = world(2).run(|c| c.sendrecv(100, 1 - c.rank)).unwrap();
    assert_eq!((machine.messages_sent(), machine.payload_bytes()), (2, 200));
}
