//! Keeps the globals of ranks apart: those of the rank that ran last are in place, copies hold those of
//! the others.

#![expect(unsafe_code, reason = "loads and calls code of others")]

use super::globals::Range;
use crate::coroutines::PrivateMemory;
use std::cell::RefCell;

/// A writable part of the loaded program.
#[derive(Debug, Clone, Copy)]
struct Place {
    start: *mut u8,
    bytes: usize,
    /// Where the part begins in a copy.
    offset: usize,
}

/// The globals of all ranks. A rank has a copy once it has changed them.
pub struct PrivateGlobals {
    places: Vec<Place>,
    /// As the program was loaded.
    initial: Box<[u8]>,
    copies: RefCell<Vec<Option<Box<[u8]>>>>,
}

impl PrivateGlobals {
    /// Writes the initial values to the globals.
    ///
    /// # Safety
    /// The ranges must be memory of a library that stays loaded at `base` as long as this lives.
    /// `initial` must be as long as all ranges together.
    pub unsafe fn new(base: usize, ranges: &[Range], initial: &[u8], ranks: u32) -> Self {
        let mut offset = 0;
        let places = ranges.iter().map(|range| {
            let place =
                Place { start: (base + range.offset) as *mut u8, bytes: range.bytes, offset };
            offset += range.bytes;
            place
        });
        let private = Self {
            places: places.collect(),
            initial: initial.into(),
            copies: RefCell::new(vec![None; ranks as usize]),
        };
        private.put(initial);
        private
    }

    fn put(&self, copy: &[u8]) {
        for place in &self.places {
            let part = &copy[place.offset..][..place.bytes];
            // SAFETY: see `new`; the copy lies elsewhere.
            unsafe { place.start.copy_from_nonoverlapping(part.as_ptr(), place.bytes) };
        }
    }

    fn take(&self, copy: &mut [u8]) {
        for place in &self.places {
            let part = &mut copy[place.offset..][..place.bytes];
            // SAFETY: see `new`; the copy lies elsewhere.
            unsafe { place.start.copy_to_nonoverlapping(part.as_mut_ptr(), place.bytes) };
        }
    }

    /// Whether the globals in place have their initial values.
    fn is_initial(&self) -> bool {
        self.places.iter().all(|place| {
            // SAFETY: see `new`; nothing writes meanwhile.
            let part = unsafe { std::slice::from_raw_parts(place.start, place.bytes) };
            part == &self.initial[place.offset..][..place.bytes]
        })
    }
}

impl PrivateMemory for PrivateGlobals {
    fn exchange(&mut self, before: Option<u32>, rank: u32) {
        let mut copies = self.copies.borrow_mut();
        if let Some(before) = before {
            let copy = &mut copies[before as usize];
            match copy {
                Some(copy) => self.take(copy),
                None if self.is_initial() => {}
                None => self.take(copy.insert(self.initial.clone())),
            }
        }
        self.put(copies[rank as usize].as_deref().unwrap_or(&self.initial));
    }

    fn translate(&self, rank: u32, address: *mut u8, running: Option<u32>) -> *mut u8 {
        if running == Some(rank) {
            return address;
        }
        let inside = self.places.iter().find_map(|place| {
            let distance = (address as usize).checked_sub(place.start as usize)?;
            (distance < place.bytes).then_some(place.offset + distance)
        });
        let Some(offset) = inside else { return address };
        let mut copies = self.copies.borrow_mut();
        let copy = copies[rank as usize].get_or_insert_with(|| self.initial.clone());
        copy[offset..].as_mut_ptr()
    }
}
