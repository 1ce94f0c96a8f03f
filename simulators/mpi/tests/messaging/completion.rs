//! Wait, Waitall, Waitany, Test, Testall.

use crate::wire::{LATENCY, PER_BYTE};
use crate::world::{Calls, sample, world};
use mpi::Protocol;
use std::ptr::null_mut;

fn waitany(c: &Calls, requests: &mut [i32]) -> i32 {
    let mut index = -1;
    let count = requests.len() as i32;
    (c.host.waitany)(count, requests.as_mut_ptr(), &mut index, null_mut());
    index
}

#[test]
fn waitall_ends_with_the_last_request() {
    let time = world(3).time(|c| match c.rank {
        0 => {
            let mut requests = [c.irecv(8, 1, 0), 0, c.irecv(8, 2, 0)];
            (c.host.waitall)(3, requests.as_mut_ptr(), null_mut());
            assert_eq!(requests, [0, 0, 0]);
        }
        rank => {
            c.compute(LATENCY * rank as u64);
            c.send(8, 0, 0);
        }
    });
    assert_eq!(time, 3 * LATENCY + 8 * PER_BYTE);
}

#[test]
fn waitall_charges_every_message_it_receives() {
    let receive_overhead = 300_000;
    let protocol = Protocol { receive_overhead, ..Protocol::default() };
    let time = world(3).with(protocol).time(|c| match c.rank {
        0 => {
            let mut requests = [c.irecv(8, 1, 0), c.irecv(8, 2, 0)];
            (c.host.waitall)(2, requests.as_mut_ptr(), null_mut());
        }
        _ => c.send(8, 0, 0),
    });
    assert_eq!(time, LATENCY + 8 * PER_BYTE + 2 * receive_overhead);
}

#[test]
fn waitany_returns_each_request_when_it_is_complete() {
    let (_, machine) = world(3)
        .run(|c| match c.rank {
            0 => {
                let mut requests = [c.irecv(0, 1, 0), c.irecv(0, 2, 0)];
                assert_eq!(waitany(c, &mut requests), 1);
                c.note("first_s");
                assert_eq!(waitany(c, &mut requests), 0);
                c.note("second_s");
                assert_eq!(waitany(c, &mut requests), -32766);
            }
            rank => {
                c.compute(LATENCY * (5 - rank as u64));
                c.send(0, 0, 0);
            }
        })
        .unwrap();
    let times = (sample(&machine, "first_s"), sample(&machine, "second_s"));
    assert_eq!(times, (4 * LATENCY, 5 * LATENCY));
}

#[test]
fn a_test_answers_for_the_ranks_clock() {
    world(2).time(|c| match c.rank {
        0 => c.send(0, 1, 0),
        _ => {
            let mut request = c.irecv(0, 0, 0);
            let mut seen = vec![];
            for _ in 0..3 {
                seen.push(c.test(&mut request));
                c.compute(LATENCY * 2 / 3);
            }
            assert_eq!((seen, request), (vec![false, false, true], 0));
        }
    });
}

#[test]
fn loops_of_tests_end_when_a_request_is_complete() {
    let time = world(3).time(|c| match c.rank {
        0 => {
            let mut requests = [c.irecv(0, 1, 0), c.irecv(0, 2, 0)];
            while requests != [0, 0] {
                for request in &mut requests {
                    c.test(request);
                }
            }
        }
        rank => {
            c.compute(LATENCY * (5 - rank as u64));
            c.send(0, 0, 0);
        }
    });
    assert_eq!(time, 5 * LATENCY);
}

/// The copy of the message ends while the rank tests.
#[test]
fn loops_of_tests_end_with_the_copy() {
    let protocol = Protocol { memory_bytes_per_s: 1e9, ..Protocol::default() };
    let bytes = 1000;
    let time = world(2).with(protocol).time(move |c| match c.rank {
        0 => c.send(bytes, 1, 0),
        _ => {
            let mut request = c.irecv(bytes, 0, 0);
            c.compute(5 * LATENCY / 2);
            while !c.test(&mut request) {}
        }
    });
    assert_eq!(time, 2_000_000 + 1000 * PER_BYTE + LATENCY);
}

#[test]
fn testall_takes_all_or_nothing() {
    world(2).time(|c| match c.rank {
        0 => {
            c.send(0, 1, 0);
            c.compute(5 * LATENCY);
            c.send(0, 1, 1);
        }
        _ => {
            let mut requests = [c.irecv(0, 0, 0), c.irecv(0, 0, 1)];
            let mut done = 0;
            c.compute(3 * LATENCY);
            (c.host.testall)(2, requests.as_mut_ptr(), &mut done, null_mut());
            assert!(done == 0 && !requests.contains(&0));
            c.compute(3 * LATENCY);
            (c.host.testall)(2, requests.as_mut_ptr(), &mut done, null_mut());
            assert!(done == 1 && requests == [0, 0]);
        }
    });
}

#[test]
fn a_send_request_of_an_eager_message_is_complete_at_once() {
    world(2).time(|c| match c.rank {
        0 => {
            let mut request = c.isend(8, 1, 0);
            assert!(c.test(&mut request));
        }
        _ => _ = c.recv(8, 0, 0),
    });
}

#[test]
fn places_of_requests_are_used_again() {
    world(2).time(|c| {
        let first = c.irecv(0, 1 - c.rank, 0);
        c.send(0, 1 - c.rank, 0);
        c.wait(first);
        for _ in 0..100 {
            let next = c.irecv(0, 1 - c.rank, 0);
            assert_ne!(next, first);
            c.send(0, 1 - c.rank, 0);
            c.wait(next);
            if next & 0x3ff_ffff == first & 0x3ff_ffff {
                return;
            }
        }
        panic!("never the same place");
    });
}

#[test]
fn a_loop_that_only_asks_for_the_time_lasts_as_long_as_it_says() {
    for wait in [LATENCY, 1_000_000_000_000] {
        let time = world(1).time(move |c| while c.time() < wait {});
        assert!((wait..wait + wait / 1_000_000 + 25_000).contains(&time), "{time} for {wait}");
    }
}

/// OSU's benchmarks of nonblocking collectives compute in such a loop, millions of times.
#[test]
fn a_rank_that_has_waited_by_its_clock_waits_in_fewer_calls_and_as_long() {
    world(1).time(|c| {
        let pass = |end| {
            let (mut calls, begin) = (0, c.time());
            while c.time() - begin < end {
                calls += 1;
            }
            (calls, c.time() - begin)
        };
        let (first, first_time) = pass(LATENCY);
        c.compute(LATENCY);
        let (second, second_time) = pass(LATENCY);
        assert_eq!(first_time, second_time);
        assert_eq!(first - second, 960);
    });
}

/// The message comes at the end of the long wait: tests do not move it.
#[test]
fn a_loop_of_tests_ends_with_its_time_or_with_its_message() {
    let late = 1000 * LATENCY;
    for (patience, expected) in [(LATENCY / 2, false), (late / 2, false), (2 * late, true)] {
        let (_, machine) = world(2)
            .run(move |c| match c.rank {
                0 => {
                    c.compute(late);
                    c.send(0, 1, 0);
                }
                _ => {
                    let (mut request, mut done) = (c.irecv(0, 0, 0), false);
                    while !done && c.time() < patience {
                        done = c.test(&mut request);
                    }
                    c.note("end_s");
                    assert_eq!(done, expected);
                    c.wait(request);
                }
            })
            .unwrap();
        let end = sample(&machine, "end_s");
        match expected {
            true => assert_eq!(end, late + LATENCY),
            false => assert!((patience..=patience + patience / 500 + 100_000).contains(&end)),
        }
    }
}

/// Every rank sends after so many tests, and no message is under way before.
#[test]
fn a_rank_may_test_so_often_and_then_go_on() {
    let time = world(2).time(|c| {
        let mut request = c.irecv(0, 1 - c.rank, 0);
        for _ in 0..20 {
            assert!(!c.test(&mut request));
        }
        c.send(0, 1 - c.rank, 0);
        c.wait(request);
    });
    assert_eq!(time, 10 * 100_000 + LATENCY);
}
