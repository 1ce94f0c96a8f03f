//! The way round a ring of a torus where both are equally long.

use crate::Node;
use crate::hash::mix;
use serde::Deserialize;

/// Direction on a torus ring when both ways are equally long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ties {
    /// Always the `+` direction.
    Plus,
    /// The direction that does not cross the wrap-around channel.
    AvoidWrap,
    /// The `+` direction, except to coordinate 0: the rule of SimGrid's torus.
    Simgrid,
    /// At random, drawn for each packet by routers that choose on the way; where routes are static, as
    /// [`Ties::RandomPerPair`].
    Random,
    /// At random, by seed, source, destination and dimension.
    RandomPerPair,
}

/// Whether a pair of nodes goes the + way round a ring of this dimension.
pub(crate) fn drawn_for_pair(seed: u64, (src, dst): (Node, Node), dimension: usize) -> bool {
    let pair = u64::from(src) << 32 | u64::from(dst);
    mix(mix(mix(seed) ^ pair) ^ dimension as u64) & 1 == 0
}
