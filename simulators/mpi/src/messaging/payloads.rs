//! Bytes of messages under way, in buffers that are reused.

#![expect(unsafe_code, reason = "memory of the program")]

use super::slab::{NONE, Slab};

const CLASSES: usize = 48;

/// The payload of a message that carries its size alone. Programs read zeros for it, so that what they
/// compute does not depend on what their memory held.
pub const ZEROS: u32 = NONE - 1;
/// So many bytes of `ZEROS` are written, and no others: numbers of programs are in small messages, and
/// large ones must cost nothing.
const MOST_ZEROS: u64 = 4096;

/// Buffers whose sizes are powers of two. Each class keeps its free ones.
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
    /// `from` is NULL or valid for reads of so many bytes.
    #[inline]
    pub unsafe fn take(&mut self, from: *const u8, bytes: u64) -> u32 {
        if from.is_null() || bytes == 0 {
            return NONE;
        }
        let payload = self.empty(bytes);
        // SAFETY: the caller guarantees it.
        let bytes = unsafe { std::slice::from_raw_parts(from, bytes as usize) };
        self.buffer(payload).extend_from_slice(bytes);
        payload
    }

    /// A payload of zeros, for bytes that are written later; at least 1.
    pub fn blank(&mut self, bytes: u64) -> u32 {
        let payload = self.empty(bytes);
        self.buffer(payload).resize(bytes as usize, 0);
        payload
    }

    /// Where the bytes of a payload lie; NULL for `NONE`.
    pub fn address(&mut self, payload: u32) -> *mut u8 {
        match payload {
            NONE => std::ptr::null_mut(),
            _ => self.buffer(payload).as_mut_ptr(),
        }
    }

    /// A payload with room for so many bytes.
    #[inline]
    fn empty(&mut self, bytes: u64) -> u32 {
        let class = bytes.next_power_of_two().trailing_zeros();
        let slab = &mut self.classes[class as usize];
        let place = slab.reuse().unwrap_or_else(|| slab.insert(Vec::with_capacity(1 << class)));
        assert!(place <= PLACE, "too many messages of one size under way");
        slab[place].clear();
        // Six bits hold the class, since no message has 2^48 B.
        class << CLASS_SHIFT | place
    }

    #[inline]
    fn buffer(&mut self, payload: u32) -> &mut Vec<u8> {
        &mut self.classes[(payload >> CLASS_SHIFT) as usize][payload & PLACE]
    }

    /// Copies the payload of a message of so many bytes to `to`, unless that is NULL, and releases its
    /// buffer.
    ///
    /// # Safety
    /// `to` is NULL or valid for reads and writes of so many bytes.
    #[inline]
    pub unsafe fn give(&mut self, payload: u32, to: *mut u8, bytes: u64) {
        match payload {
            NONE => return,
            // SAFETY: the caller guarantees it.
            ZEROS => return unsafe { clear(to, bytes.min(MOST_ZEROS) as usize) },
            _ => {}
        }
        let slab = &mut self.classes[(payload >> CLASS_SHIFT) as usize];
        let place = payload & PLACE;
        if !to.is_null() {
            let buffer = &slab[place];
            // SAFETY: the caller guarantees it. The memory is the program's, so it overlaps no buffer.
            unsafe { std::ptr::copy_nonoverlapping(buffer.as_ptr(), to, buffer.len()) };
        }
        slab.release(place);
    }
}

/// Makes memory zeros that is not yet, unless `to` is NULL. Pages that were never touched read as zeros,
/// and take no memory as long as nobody writes to them.
///
/// # Safety
/// `to` is NULL or valid for reads and writes of so many bytes.
unsafe fn clear(to: *mut u8, bytes: usize) {
    if to.is_null() {
        return;
    }
    // SAFETY: the caller guarantees it.
    let memory = unsafe { std::slice::from_raw_parts_mut(to, bytes) };
    // Without an early end the compiler compares many bytes at once.
    if memory.iter().fold(0, |seen, byte| seen | byte) != 0 {
        memory.fill(0);
    }
}
