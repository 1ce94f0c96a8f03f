//! Puts, gets and polls.

#![expect(unsafe_code, reason = "C programs are called")]

use crate::wire::{LATENCY, PER_BYTE};
use crate::world::{BYTE, WORLD, World, sample, world};
use mpi::Protocol;
use std::ptr::null_mut;

const NODE: u64 = 800_000;

fn slow_nodes() -> Protocol {
    Protocol { put: NODE, ..Protocol::default() }
}

#[test]
fn a_put_ends_for_the_target_with_the_data_and_for_the_origin_with_the_answer() {
    let (_, machine) = world(2)
        .with(slow_nodes())
        .run(|c| match c.rank {
            0 => {
                let handle = (c.host.rdma_put)(1, 8, 5);
                c.note("called_s");
                (c.host.rdma_complete)(handle);
                c.note("complete_s");
            }
            _ => {
                (c.host.rdma_poll)(5);
                c.note("landed_s");
            }
        })
        .unwrap();
    let landed = NODE + 8 * PER_BYTE + LATENCY;
    assert_eq!(sample(&machine, "called_s"), 0);
    assert_eq!(sample(&machine, "landed_s"), landed);
    assert_eq!(sample(&machine, "complete_s"), landed + LATENCY);
}

#[test]
fn each_poll_takes_one_put() {
    let time = world(2).time(|c| match c.rank {
        0 => {
            for _ in 0..3 {
                (c.host.rdma_put)(1, 0, 5);
                c.compute(10 * LATENCY);
            }
        }
        _ => {
            c.compute(5 * LATENCY);
            for wanted in [5, 11, 21] {
                (c.host.rdma_poll)(5);
                assert_eq!(c.time(), wanted * LATENCY);
            }
        }
    });
    assert_eq!(time, 30 * LATENCY);
}

#[test]
fn polls_look_at_their_own_tag() {
    world(2).time(|c| match c.rank {
        0 => {
            (c.host.rdma_put)(1, 0, 5);
            c.compute(10 * LATENCY);
            (c.host.rdma_put)(1, 0, 6);
        }
        _ => {
            (c.host.rdma_poll)(6);
            assert_eq!(c.time(), 11 * LATENCY);
            (c.host.rdma_poll)(5);
            assert_eq!(c.time(), 11 * LATENCY);
        }
    });
}

#[test]
fn a_get_takes_a_question_and_the_data() {
    let time = world(2).with(slow_nodes()).time(|c| {
        if c.rank == 0 {
            let handle = (c.host.rdma_get)(1, 1000, 0);
            (c.host.rdma_complete)(handle);
        }
    });
    assert_eq!(time, NODE + 2 * LATENCY + 1000 * PER_BYTE);
}

#[test]
fn a_put_inside_a_node_is_not_charged() {
    let one_node = World { nodes: vec![3, 3], protocol: slow_nodes() };
    let time = one_node.time(|c| match c.rank {
        0 => (c.host.rdma_complete)((c.host.rdma_put)(1, 8, 0)),
        _ => (c.host.rdma_poll)(0),
    });
    assert_eq!(time, 0);
}

#[test]
fn data_of_puts_and_gets_are_delivered() {
    world(2).time(|c| {
        let mut memory = vec![c.rank as u8; 64];
        let address = memory.as_mut_ptr();
        (c.host.rdma_expose)(address.cast(), 64);
        c.sendrecv(0, 1 - c.rank);
        if c.rank == 0 {
            let data = [7u8, 8, 9];
            let put = (c.host.rdma_put_data)(1, data.as_ptr().cast(), 3, 10, 0);
            (c.host.rdma_complete)(put);
            let mut back = [0u8; 5];
            let get = (c.host.rdma_get_data)(1, back.as_mut_ptr().cast(), 5, 9, 0);
            (c.host.rdma_complete)(get);
            assert_eq!(back, [1, 7, 8, 9, 1]);
        } else {
            (c.host.rdma_poll)(0);
            // SAFETY: the vector lives; puts wrote through its address.
            let seen = unsafe { std::slice::from_raw_parts(address, 64) };
            assert_eq!(&seen[9..14], [1, 7, 8, 9, 1]);
        }
        c.sendrecv(0, 1 - c.rank);
    });
}

fn sizes_only() -> Protocol {
    Protocol { delivered: false, ..Protocol::default() }
}

#[test]
fn programs_receive_zeros_where_messages_have_sizes_only() {
    world(2).with(sizes_only()).time(|c| match c.rank {
        0 => c.send_number(5, 1, 0),
        _ => assert_eq!(c.receive_number(0, 0), 0),
    });
}

#[test]
fn a_large_message_with_its_size_only_makes_its_first_4_kib_zeros() {
    world(2).with(sizes_only()).time(|c| {
        let mut memory = vec![7u8; 5000];
        let (address, count) = (memory.as_mut_ptr().cast(), 4999);
        match c.rank {
            0 => (c.host.send)(address, count, BYTE, 1, 0, WORLD),
            _ => (c.host.recv)(address, 5000, BYTE, 0, 0, WORLD, null_mut()),
        };
        let seen = memory.iter().filter(|&&byte| byte == 0).count();
        assert_eq!(seen, if c.rank == 0 { 0 } else { 4096 });
        assert!(memory[4096..].iter().all(|&byte| byte == 7));
    });
}

#[test]
fn puts_and_gets_with_sizes_only_bring_zeros_and_nothing_beside_them() {
    world(2).with(sizes_only()).time(|c| {
        let mut memory = vec![1u8; 64];
        let address = memory.as_mut_ptr();
        (c.host.rdma_expose)(address.cast(), 64);
        c.sendrecv(0, 1 - c.rank);
        if c.rank == 0 {
            let data = [7u8, 8, 9];
            let put = (c.host.rdma_put_data)(1, data.as_ptr().cast(), 3, 10, 0);
            (c.host.rdma_complete)(put);
            let mut back = [5u8; 4];
            let get = (c.host.rdma_get_data)(1, back.as_mut_ptr().cast(), 3, 30, 0);
            (c.host.rdma_complete)(get);
            assert_eq!(back, [0, 0, 0, 5]);
        } else {
            (c.host.rdma_poll)(0);
            // SAFETY: the vector lives; puts wrote through its address.
            let seen = unsafe { std::slice::from_raw_parts(address, 64) };
            assert_eq!(&seen[9..14], [1, 0, 0, 0, 1]);
        }
        c.sendrecv(0, 1 - c.rank);
    });
}
