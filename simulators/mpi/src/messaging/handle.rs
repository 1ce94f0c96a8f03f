//! Puts and gets that a rank has begun.

use crate::time::Time;

/// A put or get of which the program has not asked for the end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Handle {
    pub rank: u32,
    pub other: u32,
    pub gets: bool,
    pub live: bool,
    pub done: Option<Time>,
    pub generation: u32,
    /// Data of a get and where they go.
    pub payload: u32,
    pub address: usize,
}
