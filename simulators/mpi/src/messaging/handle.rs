//! Puts and gets that a rank has begun.

use crate::time::Time;

/// A put or get that the program has not completed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Handle {
    pub rank: u32,
    pub other: u32,
    pub gets: bool,
    pub live: bool,
    pub done: Option<Time>,
    pub generation: u32,
    /// The data of a get, the address that they go to, and how many they are.
    pub payload: u32,
    pub address: usize,
    pub bytes: u64,
}
