//! Gather and scatter of one block for each rank.

use super::numbers::{binomial_hops, doublings};
use crate::schedule::{Formula, Schedule, Way};

pub const GATHER: [(&str, Formula); 2] = [("binomial", binomial), ("linear", linear)];
pub const SCATTER: [(&str, Formula); 3] =
    [("binomial", binomial), ("linear", linear), ("linear_nonblocking", at_once)];

/// The root's own steps take longest. They move 1, 2, 4 … blocks; the last ones may be fewer.
fn binomial(ranks: u64, bytes: u64) -> Schedule {
    let mut path = doublings(ranks).fold(Schedule::about(ranks * bytes), |path, blocks| {
        path.then(Way::Send, 1, blocks.min(ranks - blocks) * bytes)
    });
    path.messages = u128::from(ranks - 1);
    path.bytes = u128::from(binomial_hops(ranks)) * u128::from(bytes);
    path
}

/// One after another.
fn linear(ranks: u64, bytes: u64) -> Schedule {
    Schedule::about(ranks * bytes).then(Way::Send, ranks - 1, bytes).sending(ranks - 1, bytes)
}

fn at_once(ranks: u64, bytes: u64) -> Schedule {
    Schedule::about(ranks * bytes).then(Way::Burst(ranks - 1), 1, bytes).sending(ranks - 1, bytes)
}
