//! Reductions to one rank. A rank receives from its children one after another.

use super::bcast::binary_depth;
use super::numbers::{doublings, folded, log2_up};
use crate::schedule::{Formula, Schedule, Way};

pub const ALGORITHMS: [(&str, Formula); 6] = [
    ("binomial", binomial),
    ("linear", linear),
    ("chain", linear),
    ("binary", binary),
    ("in_order_binary", in_order_binary),
    ("rabenseifner", rabenseifner),
];

/// Of the doubles that the reductions of `programs/` add.
pub const ELEMENT_BYTES: u64 = 8;

pub fn binomial(ranks: u64, bytes: u64) -> Schedule {
    Schedule::about(bytes).combining(Way::Send, log2_up(ranks), bytes).sending(ranks - 1, bytes)
}

/// One after another: to the root, or down a chain.
pub fn linear(ranks: u64, bytes: u64) -> Schedule {
    Schedule::about(bytes).combining(Way::Send, ranks - 1, bytes).sending(ranks - 1, bytes)
}

fn binary(ranks: u64, bytes: u64) -> Schedule {
    let times = match binary_depth(ranks) {
        (0, _) => 0,
        (depth, last) => 2 * (depth - 1) + last,
    };
    Schedule::about(bytes).combining(Way::Send, times, bytes).sending(ranks - 1, bytes)
}

/// The last rank gets the result, and passes it on to rank 0.
fn in_order_binary(ranks: u64, bytes: u64) -> Schedule {
    let (mut times, mut size) = (0, ranks);
    while size > 2 {
        times += 2;
        size = (size - 1) / 2;
    }
    times += size.saturating_sub(1);
    let pass = u64::from(ranks > 1);
    Schedule::about(bytes)
        .combining(Way::Send, times, bytes)
        .then(Way::Send, pass, bytes)
        .sending(ranks - 1 + pass, bytes)
}

/// So many of `pieces` pieces in whole elements, the largest ones.
pub fn of_elements(bytes: u64, count: u64, pieces: u64) -> u64 {
    (bytes / ELEMENT_BYTES * count).div_ceil(pieces) * ELEMENT_BYTES
}

/// Ranks above the largest power of two hand their values over. Then each step halves what a rank
/// sums.
pub fn halved(ranks: u64, bytes: u64) -> Schedule {
    let (power, guests) = folded(ranks);
    let mut path = Schedule::about(bytes)
        .combining(Way::Send, u64::from(guests > 0), bytes)
        .sending(guests, bytes);
    for held in doublings(power).rev() {
        path = path.combining(Way::Exchange, 1, of_elements(bytes, held, power));
    }
    path.messages += u128::from(power * log2_up(power));
    path.bytes += u128::from(power - 1) * u128::from(bytes);
    path
}

/// Recursive halving, then a binomial gather of the sums.
fn rabenseifner(ranks: u64, bytes: u64) -> Schedule {
    let (power, _) = folded(ranks);
    let mut path = halved(ranks, bytes);
    for held in doublings(power) {
        path = path.then(Way::Send, 1, of_elements(bytes, held, power));
    }
    path.messages += u128::from(power - 1);
    path.bytes += u128::from(log2_up(power)) * u128::from(bytes) / 2;
    path
}
