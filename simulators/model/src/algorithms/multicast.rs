//! The multicast of Yamada, Fukuma and Mori (2020): a group that a bitmap sets up, and its two
//! algorithms.

use super::bcast::{doubled, scatter_ring_allgather, scattered};
use super::numbers::log2_up;
use crate::schedule::{Schedule, Way};

/// How the message gets to all members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Multicast {
    /// A scatter, then the pieces round a ring.
    Ring,
    /// A scatter over d members, a binomial tree of groups of d, and recursive doubling in each.
    Hybrid(u64),
}

/// What the set-up sends beside the bitmap: four numbers (`programs/lib/multicast.c`).
const SET_UP_BYTES: u64 = 16;

/// The bitmap of all `ranks` goes down a binomial tree of the members.
pub fn set_up(members: u64, ranks: u64) -> Schedule {
    let bytes = SET_UP_BYTES + ranks.div_ceil(8);
    Schedule::default().then(Way::SetUp, log2_up(members), bytes).sending(members - 1, bytes)
}

/// One message to a group.
///
/// # Errors
/// Says why no hybrid of this d exists.
pub fn to_group(which: Multicast, members: u64, bytes: u64) -> Result<Schedule, String> {
    match which {
        Multicast::Ring => Ok(scatter_ring_allgather(members, bytes)),
        Multicast::Hybrid(d) => hybrid(members, d, bytes),
    }
}

fn hybrid(members: u64, d: u64, bytes: u64) -> Result<Schedule, String> {
    if !d.is_power_of_two() {
        return Err(format!(
            "d is {d}, must be a power of two: in each step members double what they hold"
        ));
    }
    if d > members || members % d != 0 {
        return Err(format!("d is {d}, must divide the {members} members: all parts are equal"));
    }
    let (groups, piece) = (members / d, bytes.div_ceil(d));
    let mut copies = Schedule::about(bytes).then(Way::Deal, log2_up(groups), piece);
    copies.messages = u128::from(d * (groups - 1));
    copies.bytes = u128::from(groups - 1) * u128::from(bytes);
    Ok(scattered(d, bytes).followed_by(copies).followed_by(doubled(d, groups, bytes)))
}
