//! Reductions to all ranks.

use super::bcast;
use super::numbers::{doublings, folded, log2_up};
use super::reduce::{self, halved, of_elements};
use crate::schedule::{Formula, Schedule, Way};

pub const ALGORITHMS: [(&str, Formula); 5] = [
    ("recursive_doubling", recursive_doubling),
    ("ring", ring),
    ("rabenseifner", rabenseifner),
    ("reduce_bcast", reduce_bcast),
    ("linear", linear),
];

/// Ranks above the largest power of two send their values before, and get the result after.
fn recursive_doubling(ranks: u64, bytes: u64) -> Schedule {
    let (power, guests) = folded(ranks);
    let fold = u64::from(guests > 0);
    let steps = log2_up(power);
    Schedule::about(bytes)
        .combining(Way::Send, fold, bytes)
        .combining(Way::Exchange, steps, bytes)
        .then(Way::Send, fold, bytes)
        .sending(2 * guests + power * steps, bytes)
}

/// Reduce-scatter and allgather round a ring.
fn ring(ranks: u64, bytes: u64) -> Schedule {
    let piece = of_elements(bytes, 1, ranks);
    let mut path = Schedule::about(bytes).combining(Way::Shift, ranks - 1, piece).then(
        Way::Shift,
        ranks - 1,
        piece,
    );
    path.messages = 2 * u128::from(ranks) * u128::from(ranks - 1);
    path.bytes = 2 * u128::from(ranks - 1) * u128::from(bytes);
    path
}

/// Reduce-scatter by recursive halving, allgather by recursive doubling.
fn rabenseifner(ranks: u64, bytes: u64) -> Schedule {
    let (power, guests) = folded(ranks);
    let mut path = halved(ranks, bytes);
    for held in doublings(power) {
        path = path.then(Way::Exchange, 1, of_elements(bytes, held, power));
    }
    path.messages += u128::from(power * log2_up(power));
    path.bytes += u128::from(power - 1) * u128::from(bytes);
    path.then(Way::Send, u64::from(guests > 0), bytes).sending(guests, bytes)
}

fn reduce_bcast(ranks: u64, bytes: u64) -> Schedule {
    reduce::binomial(ranks, bytes).followed_by(bcast::binomial(ranks, bytes))
}

fn linear(ranks: u64, bytes: u64) -> Schedule {
    reduce::linear(ranks, bytes).followed_by(bcast::linear(ranks, bytes))
}
