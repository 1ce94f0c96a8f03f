//! A one-sided operation with an effect at its target.

use std::ffi::{c_int, c_long, c_void};

/// `mgen_effect` of `mgen_host.h`.
pub type Effect =
    extern "C" fn(*mut c_void, *const c_void, *mut c_void, shift: c_long, number: c_int) -> c_int;

/// An operation of `bytes` at `data` on the memory of rank `other` around `place`, whose answer comes to
/// `answer`. Addresses are those of the ranks.
#[derive(Debug, Clone, Copy)]
pub struct Operation {
    pub other: i32,
    pub data: *const u8,
    pub bytes: u64,
    pub answer: usize,
    pub answer_bytes: u64,
    pub place: usize,
    pub effect: Effect,
    pub what: usize,
}
