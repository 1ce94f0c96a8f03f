//! Gathering one block of each rank to all ranks.

use super::numbers::{doublings, log2_up};
use crate::schedule::{Formula, Schedule, Way};

pub const ALGORITHMS: [(&str, Formula); 4] = [
    ("ring", ring),
    ("recursive_doubling", recursive_doubling),
    ("bruck", bruck),
    ("neighbor_exchange", neighbor_exchange),
];

fn ring(ranks: u64, bytes: u64) -> Schedule {
    Schedule::about(ranks * bytes).everyone(ranks, Way::Shift, ranks - 1, bytes)
}

/// As `bruck` unless the ranks are a power of two.
fn recursive_doubling(ranks: u64, bytes: u64) -> Schedule {
    match ranks.is_power_of_two() {
        true => doubling(ranks, bytes, Way::Exchange),
        false => bruck(ranks, bytes),
    }
}

fn bruck(ranks: u64, bytes: u64) -> Schedule {
    doubling(ranks, bytes, Way::Shift)
}

/// Steps with 1, 2, 4 … blocks; the last one may have fewer.
fn doubling(ranks: u64, bytes: u64, way: Way) -> Schedule {
    let mut path = doublings(ranks).fold(Schedule::about(ranks * bytes), |path, held| {
        path.then(way, 1, held.min(ranks - held) * bytes)
    });
    path.messages = u128::from(ranks * log2_up(ranks));
    path.bytes = u128::from(ranks) * u128::from(ranks - 1) * u128::from(bytes);
    path
}

/// As `ring` unless the ranks are even.
fn neighbor_exchange(ranks: u64, bytes: u64) -> Schedule {
    if ranks % 2 == 1 {
        return ring(ranks, bytes);
    }
    Schedule::about(ranks * bytes).everyone(ranks, Way::Exchange, 1, bytes).everyone(
        ranks,
        Way::Exchange,
        ranks / 2 - 1,
        2 * bytes,
    )
}
