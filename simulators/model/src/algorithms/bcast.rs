//! Broadcasts of a whole message.

use super::numbers::{binomial_hops, doublings, log2_up};
use crate::schedule::{Formula, Schedule, Way};

pub const ALGORITHMS: [(&str, Formula); 8] = [
    ("binomial", binomial),
    ("scatter_allgather", scatter_allgather),
    ("scatter_ring_allgather", scatter_ring_allgather),
    ("linear", linear),
    ("chain", chain),
    ("binary", binary),
    ("split_binary", split_binary),
    ("knomial", knomial),
];

/// Children of a rank in a knomial tree at each of its levels, and one: as in `bcast.c`.
const RADIX: u64 = 4;

pub fn binomial(ranks: u64, bytes: u64) -> Schedule {
    Schedule::about(bytes).then(Way::Deal, log2_up(ranks), bytes).sending(ranks - 1, bytes)
}

/// The pieces of a message down a binomial tree, as `pieces` of equal size.
pub fn scattered(pieces: u64, bytes: u64) -> Schedule {
    let halves = doublings(pieces).rev();
    let mut scatter = halves.fold(Schedule::about(bytes), |path, half| {
        path.then(Way::Deal, 1, (half.min(pieces - half) * bytes).div_ceil(pieces))
    });
    scatter.messages = u128::from(pieces - 1);
    scatter.bytes = u128::from(binomial_hops(pieces)) * u128::from(bytes) / u128::from(pieces);
    scatter
}

/// Pieces of all `members`, gathered in `groups` groups by recursive doubling.
pub fn doubled(members: u64, groups: u64, bytes: u64) -> Schedule {
    let mut gather = doublings(members).fold(Schedule::about(bytes), |path, held| {
        path.then(Way::Exchange, 1, (held * bytes).div_ceil(members))
    });
    gather.messages = u128::from(members * log2_up(members) * groups);
    gather.bytes = u128::from((members - 1) * groups) * u128::from(bytes);
    gather
}

/// Pieces round a ring.
pub fn round_a_ring(ranks: u64, bytes: u64) -> Schedule {
    let mut ring = Schedule::about(bytes).then(Way::Shift, ranks - 1, bytes.div_ceil(ranks));
    ring.messages = u128::from(ranks) * u128::from(ranks - 1);
    ring.bytes = u128::from(ranks - 1) * u128::from(bytes);
    ring
}

/// Van de Geijn. Without a power of two the pieces go round a ring.
fn scatter_allgather(ranks: u64, bytes: u64) -> Schedule {
    match ranks.is_power_of_two() {
        true => scattered(ranks, bytes).followed_by(doubled(ranks, 1, bytes)),
        false => scatter_ring_allgather(ranks, bytes),
    }
}

pub fn scatter_ring_allgather(ranks: u64, bytes: u64) -> Schedule {
    scattered(ranks, bytes).followed_by(round_a_ring(ranks, bytes))
}

pub fn linear(ranks: u64, bytes: u64) -> Schedule {
    Schedule::about(bytes).then(Way::Burst(ranks - 1), 1, bytes).sending(ranks - 1, bytes)
}

fn chain(ranks: u64, bytes: u64) -> Schedule {
    Schedule::about(bytes).then(Way::Send, ranks - 1, bytes).sending(ranks - 1, bytes)
}

/// How deep a binary tree is, and how many children the deepest parent has. Its levels hold 1, 2, 4 …
/// ranks; only the last one may hold fewer.
pub fn binary_depth(ranks: u64) -> (u64, u64) {
    let depth = u64::from(ranks.ilog2());
    let last = ranks - ((1 << depth) - 1);
    (depth, if 2 * last > 1 << depth { 2 } else { 1 })
}

fn down_binary(path: Schedule, ranks: u64, bytes: u64) -> Schedule {
    match binary_depth(ranks) {
        (0, _) => path,
        (depth, last) => {
            path.then(Way::Burst(2), depth - 1, bytes).then(Way::Burst(last), 1, bytes)
        }
    }
}

fn binary(ranks: u64, bytes: u64) -> Schedule {
    down_binary(Schedule::about(bytes), ranks, bytes).sending(ranks - 1, bytes)
}

/// A half goes down each side of a binary tree; then ranks of both sides exchange their halves.
fn split_binary(ranks: u64, bytes: u64) -> Schedule {
    let half = bytes.div_ceil(2);
    let way = if ranks > 2 { Way::Exchange } else { Way::Send };
    let mut path = down_binary(Schedule::about(bytes), ranks, half);
    if ranks > 1 {
        path = path.then(way, 1, half);
    }
    path.messages = 2 * u128::from(ranks - 1);
    path.bytes = u128::from(ranks - 1) * u128::from(bytes);
    path
}

/// A rank sends to all its children at once. The larger of two subtrees decides: that of the first
/// child, or a whole one of the next level if the first one is cut off.
fn knomial(ranks: u64, bytes: u64) -> Schedule {
    let mut path = Schedule::about(bytes).sending(ranks - 1, bytes);
    let mut size = ranks;
    while size > 1 {
        let mut children = 0;
        let (mut step, mut last) = (1, 1);
        while step < size {
            children += ((size - 1) / step).min(RADIX - 1);
            (last, step) = (step, step * RADIX);
        }
        path = path.then(Way::Burst(children), 1, bytes);
        size = last.min(size - last).max(last / RADIX);
    }
    path
}
