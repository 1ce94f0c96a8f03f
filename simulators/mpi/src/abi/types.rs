//! Types of `mgen_types.h`, and checks of what a program passes.

#![expect(unsafe_code, reason = "pointers of the program")]

use crate::messaging::Status;
use std::ffi::{c_int, c_long};

/// `MGEN_Status`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CStatus {
    pub source: c_int,
    pub tag: c_int,
    pub error: c_int,
    pub bytes: c_long,
}

/// Writes a status if the program asks for one.
///
/// # Safety
/// `to` is NULL or valid for writes.
pub unsafe fn put_status(to: *mut CStatus, status: Status) {
    if !to.is_null() {
        let Status { source, tag, bytes } = status;
        let bytes = bytes as c_long;
        // SAFETY: the caller guarantees it.
        unsafe { *to = CStatus { source, tag, error: 0, bytes } };
    }
}

/// Bytes of one element by kind of type, in the order of `mgen_types.h`.
const SIZES: [u64; 12] = [0, 1, 1, 2, 4, 8, 8, 1, 4, 8, 4, 8];

/// Bytes of one element of a type.
#[inline]
pub fn size_of(datatype: c_int) -> Result<u64, String> {
    let (kind, size) = ((datatype >> 16) as usize, (datatype & 0xffff) as u64);
    match SIZES.get(kind) {
        Some(&right) if right == size && size > 0 => Ok(size),
        _ => Err(no_datatype(datatype)),
    }
}

#[cold]
fn no_datatype(datatype: c_int) -> String {
    format!("{datatype} is not a datatype")
}

/// Bytes of `count` elements.
#[inline]
pub fn bytes_of(count: c_int, datatype: c_int) -> Result<u64, String> {
    let size = size_of(datatype)?;
    match u64::try_from(count) {
        Ok(count) => Ok(count * size),
        Err(_) => Err(negative(count)),
    }
}

#[cold]
fn negative(count: c_int) -> String {
    format!("count {count} is negative")
}
