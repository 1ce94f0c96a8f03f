//! What a thread has for itself: thread-local variables, `errno`, exceptions that are being handled.

#![expect(unsafe_code, reason = "memory of a program")]

use std::ops::Range;

/// The places of one thread's variables. All threads of ranks have theirs there by turns.
#[derive(Debug, Clone, Default)]
pub struct Locals {
    places: Vec<Range<usize>>,
    initial: Box<[u8]>,
}

impl Locals {
    /// `places` are addresses.
    ///
    /// # Safety
    /// The places must be writable memory as long as this lives.
    pub unsafe fn of(places: &[Range<usize>]) -> Self {
        let mut made = Self { places: places.to_vec(), initial: Box::default() };
        made.initial = made.take();
        made
    }

    /// The bytes in place.
    pub fn take(&self) -> Box<[u8]> {
        let parts = self.places.iter().map(|place| {
            // SAFETY: see `of`; nothing writes meanwhile.
            unsafe { std::slice::from_raw_parts(place.start as *const u8, place.len()) }
        });
        parts.collect::<Vec<_>>().concat().into()
    }

    /// Puts bytes that [`take`](Self::take) has returned in place, or those of a thread that begins.
    pub fn put(&self, bytes: Option<&[u8]>) {
        let mut bytes = bytes.unwrap_or(&self.initial);
        for place in &self.places {
            let (own, rest) = bytes.split_at(place.len());
            // SAFETY: see `of`; the bytes lie elsewhere.
            unsafe { (place.start as *mut u8).copy_from_nonoverlapping(own.as_ptr(), own.len()) };
            bytes = rest;
        }
    }
}
