//! Sends and receives that a rank has begun, and the handles by which it names them.

use crate::time::Time;

/// Wildcards and constants of `mgen_types.h`.
pub const ANY_SOURCE: i32 = -1;
pub const ANY_TAG: i32 = -2;
pub const PROC_NULL: i32 = -3;
/// Tags from here on belong to collectives; wildcards do not match them.
pub const COLLECTIVE_TAG: i32 = 0x4000_0000;

/// What a receive reports about its message: sender as a rank of the communicator, tag and size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status {
    pub source: i32,
    pub tag: i32,
    pub bytes: u64,
}

/// Of a request that is none, or of a send.
pub const EMPTY: Status = Status { source: ANY_SOURCE, tag: ANY_TAG, bytes: 0 };
/// Of a receive from `MGEN_PROC_NULL`.
pub const FROM_NOBODY: Status = Status { source: PROC_NULL, tag: ANY_TAG, bytes: 0 };

#[derive(Debug, Clone, Copy)]
pub struct Request {
    pub rank: u32,
    /// Counts the uses of the place, so that old handles are recognised.
    pub generation: u8,
    pub receives: bool,
    pub live: bool,
    /// The time at which it is complete is known.
    pub done: bool,
    /// Its rank waits for it.
    pub awaited: bool,
    pub communicator: u32,
    /// Receive: what may match, then what did. Send: where it goes.
    pub source: i32,
    pub tag: i32,
    /// Room of a receive, then the size of its message.
    pub bytes: u64,
    pub buffer: *mut u8,
    pub payload: u32,
    /// Next one in its queue of posted receives, and its place in their order.
    pub next: u32,
    pub order: u32,
    /// From when on a receive may match, then when the request is complete.
    pub at: Time,
}

impl Request {
    /// Whether a message of this sender and tag may be received.
    #[inline]
    pub fn accepts(&self, communicator: u32, source: u32, tag: i32) -> bool {
        self.communicator == communicator && accepts(self.source, self.tag, source, tag)
    }

    pub fn status(&self) -> Status {
        match self.receives {
            true => Status { source: self.source, tag: self.tag, bytes: self.bytes },
            false => EMPTY,
        }
    }
}

/// Whether `wanted` and `wanted_tag`, or wildcards there, are met.
#[inline]
pub fn accepts(wanted: i32, wanted_tag: i32, source: u32, tag: i32) -> bool {
    (wanted == source as i32 || wanted == ANY_SOURCE)
        && (wanted_tag == tag || wanted_tag == ANY_TAG && tag < COLLECTIVE_TAG)
}

const PLACE_BITS: u32 = 26;
const GENERATIONS: u8 = 31;

/// The number that a program holds: never 0.
pub fn handle(place: u32, generation: u8) -> i32 {
    (u32::from(generation) << PLACE_BITS | (place + 1)) as i32
}

/// Place and generation of a handle.
pub fn place(handle: i32) -> (u32, u8) {
    let bits = handle as u32;
    let place = (bits & ((1 << PLACE_BITS) - 1)).wrapping_sub(1);
    (place, (bits >> PLACE_BITS) as u8)
}

/// Most requests at a time.
pub const MOST: u32 = (1 << PLACE_BITS) - 2;

pub fn next_generation(generation: u8) -> u8 {
    (generation + 1) % GENERATIONS
}
