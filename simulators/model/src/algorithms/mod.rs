//! Collectives as schedules: each algorithm of `programs/lib`, and the multicast of a group.

mod allgather;
mod allreduce;
mod alltoall;
mod barrier;
mod bcast;
mod gather;
mod multicast;
mod numbers;
mod reduce;

pub use multicast::{Multicast, set_up, to_group};
pub use reduce::ELEMENT_BYTES;

use crate::schedule::Formula;

/// Every collective of `programs/lib` with its algorithms; the first one is the default.
pub const ALGORITHMS: [(&str, &[(&str, Formula)]); 8] = [
    ("barrier", &barrier::ALGORITHMS),
    ("bcast", &bcast::ALGORITHMS),
    ("reduce", &reduce::ALGORITHMS),
    ("allreduce", &allreduce::ALGORITHMS),
    ("gather", &gather::GATHER),
    ("scatter", &gather::SCATTER),
    ("allgather", &allgather::ALGORITHMS),
    ("alltoall", &alltoall::ALGORITHMS),
];

/// The formula of an algorithm, if there is one.
pub fn named(collective: &str, algorithm: &str) -> Option<Formula> {
    let (_, choices) = ALGORITHMS.iter().find(|(name, _)| *name == collective)?;
    choices.iter().find(|(name, _)| *name == algorithm).map(|(_, formula)| *formula)
}
