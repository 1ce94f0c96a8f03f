//! Random programs: their critical path adds up to their time, whatever their ranks do.

use crate::costs::{curves, times, with};
use crate::critical_path::path;
use crate::world::{Calls, WORLD, World};
use engine::Curves;
use mpi::Protocol;
use mpi::time::Time;
use proptest::prelude::*;
use std::ptr::null_mut;

/// A step of a random program, which all ranks take in turn.
#[derive(Debug, Clone)]
enum Step {
    Compute(u32, Time),
    /// From one rank to another: bytes, and whether both ranks compute between begin and wait.
    Message(u32, u32, i32, Time),
    Exchange(u32, u32, i32),
    /// All ranks by shifts.
    Shift(u32, i32),
    Any(u32, i32),
    Put(u32, u32, i32),
    Split,
}

const RANKS: u32 = 4;

fn step() -> impl Strategy<Value = Step> {
    let (rank, bytes) = (0..RANKS, prop_oneof![0..64_i32, 60_000..200_000_i32]);
    let time = 0..20_000_000_u64;
    let pair = (rank.clone(), 1..RANKS).prop_map(|(a, off)| (a, (a + off) % RANKS));
    prop_oneof![
        (rank.clone(), time.clone()).prop_map(|(r, t)| Step::Compute(r, t)),
        (pair.clone(), bytes.clone(), time).prop_map(|((a, b), n, t)| Step::Message(a, b, n, t)),
        (pair.clone(), bytes.clone()).prop_map(|((a, b), n)| Step::Exchange(a, b, n)),
        (1..RANKS, bytes.clone()).prop_map(|(by, n)| Step::Shift(by, n)),
        (rank, bytes.clone()).prop_map(|(r, n)| Step::Any(r, n)),
        (pair, bytes).prop_map(|((a, b), n)| Step::Put(a, b, n)),
        Just(Step::Split),
    ]
}

fn take(c: &Calls, number: i32, step: &Step) {
    let me = c.rank as u32;
    match *step {
        Step::Compute(rank, time) if rank == me => c.compute(time),
        Step::Message(from, to, bytes, time) if from == me => {
            let request = c.isend(bytes, to as i32, number);
            c.compute(time);
            c.wait(request);
        }
        Step::Message(from, to, bytes, time) if to == me => {
            let request = c.irecv(bytes, from as i32, number);
            c.compute(time / 3);
            c.wait(request);
        }
        Step::Exchange(a, b, bytes) if a == me => c.sendrecv(bytes, b as i32),
        Step::Exchange(a, b, bytes) if b == me => c.sendrecv(bytes, a as i32),
        Step::Shift(by, bytes) => {
            let (to, from) = ((me + by) % RANKS, (me + RANKS - by) % RANKS);
            let mut both = [c.irecv(bytes, from as i32, number), c.isend(bytes, to as i32, number)];
            (c.host.waitall)(2, both.as_mut_ptr(), null_mut());
        }
        Step::Any(root, bytes) if root == me => {
            let mut all: Vec<i32> = (0..RANKS as i32)
                .filter(|&other| other != c.rank)
                .map(|other| c.irecv(bytes, other, number))
                .collect();
            for _ in 0..all.len() {
                let (count, mut index) = (all.len() as i32, 0);
                (c.host.waitany)(count, all.as_mut_ptr(), &mut index, null_mut());
            }
        }
        Step::Any(root, bytes) => c.send(bytes, root as i32, number),
        Step::Put(from, to, bytes) if from == me => {
            (c.host.rdma_complete)((c.host.rdma_put)(to as i32, bytes, number));
        }
        Step::Put(_, to, _) if to == me => (c.host.rdma_poll)(number),
        Step::Split => {
            let mut made = 0;
            (c.host.comm_dup)(WORLD, &mut made);
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]
    /// `path` checks that the pieces follow each other from 0 to the end of the program.
    #[test]
    fn the_path_of_any_program_adds_up_to_its_time(
        steps in prop::collection::vec(step(), 1..40),
        overhead in 0..400_000_u64,
        rate in prop_oneof![Just(f64::INFINITY), 1e8..1e10_f64],
        nodes in 1..=RANKS,
        // Whether messages have costs by size, and with a gap.
        gap in prop_oneof![Just(None), Just(Some(false)), Just(Some(true))],
    ) {
        let protocol = Protocol {
            send_overhead: overhead,
            receive_overhead: overhead / 2,
            put: overhead / 4,
            memory_bytes_per_s: rate,
            zero_copy_limit_bytes: 100_000,
            ..match gap {
                None => Protocol::default(),
                Some(gap) => with(Curves { gap: gap.then(|| times(1000.0, 700.0)), ..curves() }),
            }
        };
        let nodes = (0..RANKS).map(|rank| rank % nodes).collect();
        path(&World { nodes, protocol }, move |c| {
            for (number, step) in steps.iter().enumerate() {
                take(c, number as i32, step);
            }
        });
    }
}
