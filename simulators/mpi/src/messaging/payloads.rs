//! Bytes of messages under way, in buffers that are used again.

#![expect(unsafe_code, reason = "memory of the program")]

use super::slab::{NONE, Slab};

const CLASSES: usize = 48;

/// Buffers of powers of two; each class keeps those that are free.
#[derive(Debug)]
pub struct Payloads {
    classes: [Slab<Vec<u8>>; CLASSES],
}

impl Default for Payloads {
    fn default() -> Self {
        Self { classes: std::array::from_fn(|_| Slab::default()) }
    }
}

const CLASS_SHIFT: u32 = 26;
const PLACE: u32 = (1 << CLASS_SHIFT) - 1;

impl Payloads {
    /// Takes a copy of `bytes` at `from`; `NONE` for NULL.
    ///
    /// # Safety
    /// `from` is NULL or good to read for so many bytes.
    #[inline]
    pub unsafe fn take(&mut self, from: *const u8, bytes: u64) -> u32 {
        if from.is_null() || bytes == 0 {
            return NONE;
        }
        let class = bytes.next_power_of_two().trailing_zeros();
        let slab = &mut self.classes[class as usize];
        let place = slab.reuse().unwrap_or_else(|| slab.insert(Vec::with_capacity(1 << class)));
        assert!(place <= PLACE, "too many messages of one size under way");
        let buffer = &mut slab[place];
        buffer.clear();
        // SAFETY: the caller vouches for the memory.
        buffer.extend_from_slice(unsafe { std::slice::from_raw_parts(from, bytes as usize) });
        // Six bits hold no classes beyond 63: messages of 2^48 B do not exist.
        class << CLASS_SHIFT | place
    }

    /// Copies a payload to where it belongs, if that is not NULL, and gives its buffer back.
    ///
    /// # Safety
    /// `to` is NULL or good to write for the payload's size.
    #[inline]
    pub unsafe fn give(&mut self, payload: u32, to: *mut u8) {
        if payload == NONE {
            return;
        }
        let slab = &mut self.classes[(payload >> CLASS_SHIFT) as usize];
        let place = payload & PLACE;
        if !to.is_null() {
            let buffer = &slab[place];
            // SAFETY: the caller vouches for the memory; it is no buffer of ours.
            unsafe { std::ptr::copy_nonoverlapping(buffer.as_ptr(), to, buffer.len()) };
        }
        slab.release(place);
    }
}
