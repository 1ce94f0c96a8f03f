//! Barriers of empty messages.

use super::numbers::{log2_up, power_below};
use crate::schedule::{Formula, Schedule, Way};

pub const ALGORITHMS: [(&str, Formula); 5] = [
    ("dissemination", dissemination),
    ("ring", ring),
    ("recursive_doubling", recursive_doubling),
    ("tree", tree),
    ("linear", linear),
];

fn dissemination(ranks: u64, _: u64) -> Schedule {
    Schedule::default().everyone(ranks, Way::Shift, log2_up(ranks), 0)
}

fn ring(ranks: u64, _: u64) -> Schedule {
    Schedule::default().everyone(ranks, Way::Shift, ranks - 1, 0)
}

/// Ranks above the largest power of two send to a partner before, and receive from it after.
fn recursive_doubling(ranks: u64, _: u64) -> Schedule {
    let power = power_below(ranks);
    let fold = u64::from(ranks > power);
    let guests = ranks - power;
    Schedule::default()
        .then(Way::Send, fold, 0)
        .everyone(power, Way::Exchange, log2_up(power), 0)
        .then(Way::Send, fold, 0)
        .sending(2 * guests, 0)
}

/// Up a binomial tree and down again.
fn tree(ranks: u64, _: u64) -> Schedule {
    Schedule::default().then(Way::Send, 2 * log2_up(ranks), 0).sending(2 * (ranks - 1), 0)
}

/// All to one, and back.
fn linear(ranks: u64, _: u64) -> Schedule {
    Schedule::default().then(Way::Burst(ranks - 1), 2, 0).sending(2 * (ranks - 1), 0)
}
