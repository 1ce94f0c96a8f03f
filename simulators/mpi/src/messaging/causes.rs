//! What ends waits.

use crate::observer::Cause;
use crate::time::Time;

/// What ends waits, by the numbers of messages, requests and ranks.
#[derive(Debug, Default)]
pub struct Causes {
    /// What each message waits for: first its sender.
    pub of_messages: Vec<Option<Cause>>,
    /// What has completed each request.
    pub of_requests: Vec<Option<Cause>>,
    /// What has completed each put or get.
    pub of_handles: Vec<Option<Cause>>,
    /// What is to end the present wait of each rank, and when.
    pub of_ranks: Vec<Option<(Time, Cause)>>,
}

pub fn put<V>(list: &mut Vec<Option<V>>, at: u32, value: Option<V>) {
    let at = at as usize;
    if list.len() <= at {
        list.resize_with(at + 1, || None);
    }
    list[at] = value;
}

pub fn get<V: Copy>(list: &[Option<V>], at: u32) -> Option<V> {
    list.get(at as usize).copied().flatten()
}
