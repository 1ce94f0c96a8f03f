//! Sends and receives that a rank has begun, and their handles.

use crate::time::Time;

/// Wildcards and `MGEN_PROC_NULL` of `mgen_types.h`.
pub const ANY_SOURCE: i32 = -1;
pub const ANY_TAG: i32 = -2;
pub const PROC_NULL: i32 = -3;
/// `MGEN_TAG_UB` of `mgen_types.h`: the largest tag of a program.
pub const TAG_UB: i32 = i32::MAX;

/// What a receive reports about its message: sender as a rank of the communicator, tag and size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status {
    pub source: i32,
    pub tag: i32,
    pub bytes: u64,
}

/// The status of a null request, and of a send.
pub const EMPTY: Status = Status { source: ANY_SOURCE, tag: ANY_TAG, bytes: 0 };
/// Bytes of a receive that was cancelled: `MGEN_CANCELLED` of `mgen_host.h`.
pub const CANCELLED: u64 = u64::MAX;
/// The status of a receive from `MGEN_PROC_NULL`.
pub const FROM_NOBODY: Status = Status { source: PROC_NULL, tag: ANY_TAG, bytes: 0 };

#[derive(Debug, Clone, Copy)]
pub struct Request {
    pub rank: u32,
    /// The thread of the rank that waits for it, if one does.
    pub thread: u32,
    /// Counts the uses of the place, so that an old handle is recognised.
    pub generation: u8,
    pub receives: bool,
    pub live: bool,
    /// The time at which it is complete is known.
    pub done: bool,
    /// Its rank waits for it.
    pub awaited: bool,
    /// It may match when the head of a message arrives.
    pub takes_head: bool,
    /// The head of its message arrived then.
    pub head_at: Option<Time>,
    pub context: u32,
    /// Of a receive, what may match, then what has matched. Of a send, where it goes.
    pub source: i32,
    pub tag: i32,
    /// Size of a receive's buffer, then the size of its message.
    pub bytes: u64,
    pub buffer: *mut u8,
    pub payload: u32,
    /// The next request in its queue of posted receives, and its place in their order.
    pub next: u32,
    pub order: u32,
    /// Of a receive, the time from which on it may match. Then the time at which the request is complete.
    pub at: Time,
}

impl Request {
    /// Whether a message of this sender and tag may be received.
    #[inline]
    pub fn accepts(&self, context: u32, source: u32, tag: i32) -> bool {
        self.context == context && accepts(self.source, self.tag, source, tag)
    }

    pub fn status(&self) -> Status {
        match self.receives {
            true => Status { source: self.source, tag: self.tag, bytes: self.bytes },
            false => EMPTY,
        }
    }
}

/// Whether source and tag are the wanted ones, which may be wildcards.
#[inline]
pub fn accepts(wanted: i32, wanted_tag: i32, source: u32, tag: i32) -> bool {
    (wanted == source as i32 || wanted == ANY_SOURCE)
        && (wanted_tag == tag || wanted_tag == ANY_TAG)
}

const PLACE_BITS: u32 = 26;
const GENERATIONS: u8 = 31;

/// The handle that a program gets; never 0.
pub fn handle(place: u32, generation: u8) -> i32 {
    (u32::from(generation) << PLACE_BITS | (place + 1)) as i32
}

/// Place and generation of a handle.
pub fn place(handle: i32) -> (u32, u8) {
    let bits = handle as u32;
    let place = (bits & ((1 << PLACE_BITS) - 1)).wrapping_sub(1);
    (place, (bits >> PLACE_BITS) as u8)
}

/// The highest place of a request.
pub const MOST: u32 = (1 << PLACE_BITS) - 2;

pub fn next_generation(generation: u8) -> u8 {
    (generation + 1) % GENERATIONS
}
