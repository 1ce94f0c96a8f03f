//! The personalised exchange of one block with each other rank.

use super::numbers::{doublings, with_bit};
use crate::schedule::{Formula, Schedule, Way};

pub const ALGORITHMS: [(&str, Formula); 5] = [
    ("pairwise", pairwise),
    ("bruck", bruck),
    ("ring", ring),
    ("linear", linear),
    ("scattered", scattered),
];

/// Messages that a rank has under way at a time in `scattered`, as in `alltoall.c`.
const AT_ONCE: u64 = 32;

/// As `ring` unless the ranks are a power of two.
pub fn pairwise(ranks: u64, bytes: u64) -> Schedule {
    match ranks.is_power_of_two() {
        true => Schedule::about(ranks * bytes).everyone(ranks, Way::Exchange, ranks - 1, bytes),
        false => ring(ranks, bytes),
    }
}

pub fn ring(ranks: u64, bytes: u64) -> Schedule {
    Schedule::about(ranks * bytes).everyone(ranks, Way::Shift, ranks - 1, bytes)
}

/// A step moves the blocks whose number has its bit.
pub fn bruck(ranks: u64, bytes: u64) -> Schedule {
    doublings(ranks).fold(Schedule::about(ranks * bytes), |path, step| {
        path.everyone(ranks, Way::Shift, 1, with_bit(ranks, step) * bytes)
    })
}

fn linear(ranks: u64, bytes: u64) -> Schedule {
    in_groups(ranks, bytes, ranks)
}

fn scattered(ranks: u64, bytes: u64) -> Schedule {
    in_groups(ranks, bytes, AT_ONCE)
}

/// Groups of `most` steps, one fewer in the first group, all steps of a group at once.
fn in_groups(ranks: u64, bytes: u64, most: u64) -> Schedule {
    let path = Schedule::about(ranks * bytes)
        .then(Way::Crossing(most.min(ranks) - 1), 1, bytes)
        .sending(ranks * (ranks - 1), bytes);
    let rest = ranks - most.min(ranks);
    let path = path.then(Way::Crossing(most), rest / most, bytes);
    path.then(Way::Crossing(rest % most), u64::from(rest % most > 0), bytes)
}
