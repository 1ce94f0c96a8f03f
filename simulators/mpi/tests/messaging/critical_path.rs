//! The critical path explains all of a program's time, and the course of each rank all of its own.

use crate::wire::{LATENCY, PER_BYTE};
use crate::world::{Calls, WORLD, World, world};
use mpi::Protocol;
use mpi::measure::{Hop, State};
use mpi::time::Time;
use std::ptr::null_mut;

const STATES: [State; 4] = [State::Compute, State::Software, State::Network, State::Waiting];

/// The path of a program, in the order of time, checked to be one without a gap.
pub fn path(world: &World, program: impl Fn(&Calls) + 'static) -> Vec<Hop> {
    let (time, machine) = world.run(program).unwrap();
    let courses = machine.observer.courses.as_ref().unwrap();
    let mut path = courses.critical_path(time).expect("a path");
    path.reverse();
    let mut at = 0;
    for hop in &path {
        assert_eq!(hop.from, at, "{path:#?}");
        assert!(hop.to > hop.from, "{hop:?}");
        assert_ne!(hop.state, State::Waiting, "{hop:?}");
        at = hop.to;
    }
    assert_eq!(at, time);
    let ends = (0..world.nodes.len() as u32).map(|rank| machine.clock(rank));
    for (rank, end) in ends.enumerate() {
        let spent = STATES.map(|state| courses.sums(state).nth(rank).unwrap());
        assert_eq!(spent.iter().sum::<Time>(), end, "rank {rank}");
    }
    path
}

fn short(path: &[Hop]) -> Vec<(u32, &'static str, State, Time)> {
    path.iter().map(|hop| (hop.rank, hop.call, hop.state, hop.to - hop.from)).collect()
}

/// The times of a rank in each state.
fn in_states(program: impl Fn(&Calls) + 'static, rank: usize) -> [Time; 4] {
    let (_, machine) = world(2).run(program).unwrap();
    let courses = machine.observer.courses.as_ref().unwrap();
    STATES.map(|state| courses.sums(state).nth(rank).unwrap())
}

#[test]
fn the_path_goes_from_a_late_receive_to_the_computing_of_its_sender() {
    let program = |c: &Calls| match c.rank {
        0 => {
            c.compute(5 * LATENCY);
            c.send(8, 1, 0);
        }
        _ => {
            c.recv(8, 0, 0);
            c.compute(700);
        }
    };
    let found = path(&world(2), program);
    let expected = [
        (0, "MGEN_Comp", State::Compute, 5 * LATENCY),
        (1, "MGEN_Recv", State::Network, LATENCY + 8 * PER_BYTE),
        (1, "MGEN_Comp", State::Compute, 700),
    ];
    assert_eq!(short(&found), expected);
    assert_eq!(found[1].message, Some((0, 1)));
    assert_eq!(in_states(program, 1), [700, 0, LATENCY + 8 * PER_BYTE, 5 * LATENCY]);
}

#[test]
fn a_message_that_is_early_leaves_the_path_with_its_receiver() {
    let found = path(&world(2), |c| match c.rank {
        0 => c.send(8, 1, 0),
        _ => {
            c.compute(9 * LATENCY);
            c.recv(8, 0, 0);
        }
    });
    assert_eq!(short(&found), [(1, "MGEN_Comp", State::Compute, 9 * LATENCY)]);
}

/// The receiver asks for the data, so the path goes through the receiver's own computing.
#[test]
fn a_rendezvous_waits_for_whoever_calls_last() {
    let bytes = 100_000;
    let asked = move |late: i32| {
        let found = path(&world(2), move |c| {
            if c.rank == late {
                c.compute(9 * LATENCY);
            }
            match c.rank {
                0 => c.send(bytes, 1, 0),
                _ => _ = c.recv(bytes, 0, 0),
            }
        });
        short(&found)
    };
    let data = LATENCY + bytes as Time * PER_BYTE;
    let computing = |rank| (rank, "MGEN_Comp", State::Compute, 9 * LATENCY);
    let network = |controls| (1, "MGEN_Recv", State::Network, controls * LATENCY + data);
    assert_eq!(asked(0), [computing(0), network(2)]);
    assert_eq!(asked(1), [computing(1), network(1)]);
}

#[test]
fn copies_and_overheads_are_software() {
    let protocol = Protocol {
        send_overhead: 300,
        receive_overhead: 500,
        memory_bytes_per_s: 1e9,
        ..Protocol::default()
    };
    let copy = 8000;
    let found = path(&world(2).with(protocol), |c| match c.rank {
        0 => c.send(8, 1, 0),
        _ => _ = c.recv(8, 0, 0),
    });
    let expected = [
        (0, "MGEN_Send", State::Software, 300 + copy),
        (1, "MGEN_Recv", State::Network, LATENCY + 8 * PER_BYTE),
        (1, "MGEN_Recv", State::Software, copy),
        (1, "MGEN_Recv", State::Software, 500),
    ];
    assert_eq!(short(&found), expected);
}

#[test]
fn the_path_of_a_ping_pong_alternates() {
    let found = path(&world(2), |c| {
        for _ in 0..2 {
            match c.rank {
                0 => {
                    c.send(0, 1, 0);
                    c.recv(0, 1, 0);
                }
                _ => {
                    c.recv(0, 0, 0);
                    c.send(0, 0, 0);
                }
            }
        }
    });
    let ranks: Vec<_> = found.iter().map(|hop| (hop.rank, hop.message)).collect();
    let (there, back) = ((1, Some((0, 1))), (0, Some((1, 0))));
    assert_eq!(ranks, [there, back, there, back]);
}

#[test]
fn calls_of_a_collective_count_as_the_collective() {
    let found = path(&world(2), |c| {
        if c.rank == 1 {
            c.compute(LATENCY);
        }
        (c.host.enter)(c"MGEN_Barrier".as_ptr(), WORLD, -1);
        c.sendrecv(0, 1 - c.rank);
        (c.host.leave)();
    });
    let expected =
        [(1, "MGEN_Comp", State::Compute, LATENCY), (0, "MGEN_Barrier", State::Network, LATENCY)];
    assert_eq!(short(&found), expected);
}

#[test]
fn a_wait_for_a_put_goes_to_its_origin_and_for_its_end_to_itself() {
    let found = path(&world(2), |c| match c.rank {
        0 => {
            c.compute(LATENCY);
            let put = (c.host.rdma_put)(1, 8, 3);
            (c.host.rdma_complete)(put);
        }
        _ => (c.host.rdma_poll)(3),
    });
    let end = 2 * LATENCY + 8 * PER_BYTE;
    let expected =
        [(0, "MGEN_Comp", State::Compute, LATENCY), (0, "MGEN_rdma_complete", State::Network, end)];
    assert_eq!(short(&found), expected);
}

#[test]
fn who_waits_for_the_members_of_a_split_waits_for_the_last_one() {
    let found = path(&world(3), |c| {
        c.compute(LATENCY * c.rank as Time);
        let mut made = 0;
        (c.host.comm_dup)(WORLD, &mut made);
        if c.rank == 0 {
            c.compute(50);
        }
    });
    let expected =
        [(2, "MGEN_Comp", State::Compute, 2 * LATENCY), (0, "MGEN_Comp", State::Compute, 50)];
    assert_eq!(short(&found), expected);
}

/// Without costs of calls nothing of the path is software, so every wait ends with its own message.
#[test]
fn all_of_several_requests_end_with_the_last_and_any_with_the_first() {
    let several = |all: bool| {
        let found = path(&world(3), move |c| match c.rank {
            0 => {
                let mut both = [c.irecv(0, 1, 0), c.irecv(0, 2, 0)];
                let mut index = 0;
                match all {
                    true => _ = (c.host.waitall)(2, both.as_mut_ptr(), null_mut()),
                    false => _ = (c.host.waitany)(2, both.as_mut_ptr(), &mut index, null_mut()),
                }
                c.compute(9 * LATENCY);
                if !all {
                    (c.host.waitall)(2, both.as_mut_ptr(), null_mut());
                }
            }
            rank => {
                c.compute(LATENCY * (4 - rank as Time));
                c.send(0, 0, 0);
            }
        });
        assert!(found.iter().all(|hop| hop.state != State::Software), "{found:?}");
        (found[0].rank, found[1].message)
    };
    assert_eq!(several(true), (1, Some((1, 0))));
    assert_eq!(several(false), (2, Some((2, 0))));
}
