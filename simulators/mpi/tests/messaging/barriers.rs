//! Barriers of puts in closed form: steps times the time of one put, for any number of ranks.

use crate::wire::{LATENCY, PER_BYTE};
use crate::world::{Calls, World, world};
use mpi::Protocol;

const NODE: u64 = 1_000_000;
const PUT: u64 = NODE + LATENCY + 8 * PER_BYTE;

fn ring(c: &Calls, ranks: i32) {
    for _ in 1..ranks {
        (c.host.rdma_put)((c.rank + 1) % ranks, 8, 0);
        (c.host.rdma_poll)(0);
    }
}

fn recursive_doubling(c: &Calls, ranks: i32) {
    let base = 1 << ranks.ilog2();
    let rest = ranks - base;
    let rank = c.rank;
    if rank >= base {
        (c.host.rdma_put)(rank - base, 8, rank);
        (c.host.rdma_poll)(rank - base);
        return;
    }
    if rank < rest {
        (c.host.rdma_poll)(rank + base);
    }
    for bit in 0..ranks.ilog2() {
        (c.host.rdma_put)(rank ^ 1 << bit, 8, rank);
        (c.host.rdma_poll)(rank ^ 1 << bit);
    }
    if rank < rest {
        (c.host.rdma_put)(rank + base, 8, rank);
    }
}

fn time(world: World, program: fn(&Calls, i32)) -> u64 {
    let ranks = world.nodes.len() as i32;
    let protocol = Protocol { put: NODE, ..Protocol::default() };
    world.with(protocol).time(move |c| program(c, ranks))
}

#[test]
fn a_ring_of_p_takes_p_minus_1_puts() {
    for ranks in 2..=32 {
        assert_eq!(time(world(ranks), ring), u64::from(ranks - 1) * PUT, "{ranks} ranks");
    }
}

#[test]
fn recursive_doubling_takes_log2_p_puts() {
    for ranks in [2u32, 4, 8, 16, 32] {
        let puts = u64::from(ranks.ilog2());
        assert_eq!(time(world(ranks), recursive_doubling), puts * PUT, "{ranks} ranks");
    }
}

/// Puts on the longest path: ranks that skip the first step run ahead of the others.
fn longest_path(ranks: u32) -> u64 {
    let base = 1 << ranks.ilog2();
    let rest = ranks - base;
    let mut puts: Vec<u64> = (0..base).map(|rank| u64::from(rank < rest)).collect();
    for bit in 0..ranks.ilog2() {
        let peer = |rank: usize| rank ^ 1 << bit;
        puts = (0..puts.len()).map(|rank| puts[rank].max(puts[peer(rank)] + 1)).collect();
    }
    let back = (0..rest as usize).map(|rank| puts[rank] + 1).max();
    back.max(puts.iter().copied().max()).unwrap()
}

#[test]
fn other_numbers_of_ranks_take_the_longest_path() {
    for ranks in (3u32..32).filter(|ranks| !ranks.is_power_of_two()) {
        let puts = longest_path(ranks);
        assert_eq!(time(world(ranks), recursive_doubling), puts * PUT, "{ranks} ranks");
    }
}

/// Two ranks of a node, which put to each other for nothing: the first step vanishes (NSIM-ACE).
#[test]
fn two_ranks_per_node_save_the_first_step() {
    for ranks in [4u32, 8, 16, 32] {
        let pairs = World { nodes: (0..ranks).map(|r| r / 2).collect(), ..world(0) };
        let puts = u64::from(ranks.ilog2()) - 1;
        assert_eq!(time(pairs, recursive_doubling), puts * PUT, "{ranks} ranks");
    }
}

/// Ranks that advance independently: every second hop of the ring is free.
#[test]
fn two_ranks_per_node_take_half_the_ring() {
    for ranks in (4u32..=32).step_by(2) {
        let pairs = World { nodes: (0..ranks).map(|r| r / 2).collect(), ..world(0) };
        assert_eq!(time(pairs, ring), u64::from(ranks / 2) * PUT, "{ranks} ranks");
    }
}
