//! Gather and scatter of one block for each rank.

use super::numbers::{binomial_hops, doublings};
use crate::schedule::{Formula, Schedule, Way};

pub const GATHER: [(&str, Formula); 2] = [("binomial", gathered), ("linear", one_by_one)];
pub const SCATTER: [(&str, Formula); 3] =
    [("binomial", scattered), ("linear", dealt), ("linear_nonblocking", at_once)];

/// The root's own steps take longest. They move 1, 2, 4 … blocks; the last ones may be fewer.
fn binomial(way: Way, ranks: u64, bytes: u64) -> Schedule {
    let mut path = doublings(ranks).fold(Schedule::about(ranks * bytes), |path, blocks| {
        path.then(way, 1, blocks.min(ranks - blocks) * bytes)
    });
    path.messages = u128::from(ranks - 1);
    path.bytes = u128::from(binomial_hops(ranks)) * u128::from(bytes);
    path
}

fn gathered(ranks: u64, bytes: u64) -> Schedule {
    binomial(Way::Send, ranks, bytes)
}

fn scattered(ranks: u64, bytes: u64) -> Schedule {
    binomial(Way::Deal, ranks, bytes)
}

/// One after another.
fn linear(way: Way, ranks: u64, bytes: u64) -> Schedule {
    Schedule::about(ranks * bytes).then(way, ranks - 1, bytes).sending(ranks - 1, bytes)
}

fn one_by_one(ranks: u64, bytes: u64) -> Schedule {
    linear(Way::Send, ranks, bytes)
}

fn dealt(ranks: u64, bytes: u64) -> Schedule {
    linear(Way::Deal, ranks, bytes)
}

fn at_once(ranks: u64, bytes: u64) -> Schedule {
    Schedule::about(ranks * bytes).then(Way::Burst(ranks - 1), 1, bytes).sending(ranks - 1, bytes)
}
