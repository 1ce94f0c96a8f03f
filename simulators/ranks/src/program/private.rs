//! Keeps the globals of ranks apart: those of the rank that ran last are in place. Small ones are copied
//! to and fro; pages of large ones are moved.

#![expect(unsafe_code, reason = "loads and calls code of others")]

use super::locals::Locals;
use super::pages::{Pages, PrivatePages};
use crate::coroutines::PrivateMemory;
use std::cell::RefCell;
use std::ops::Range;

/// Globals of more bytes than these are moved by pages: copying them would take longer.
const MOST_COPIED: usize = 128 << 10;

/// A writable part of the process.
#[derive(Debug, Clone, Copy)]
struct Place {
    start: *mut u8,
    bytes: usize,
    /// Where the part begins in a copy.
    offset: usize,
}

impl Place {
    /// All of them, one behind the other in a copy.
    fn all(ranges: &[Range<usize>]) -> Vec<Self> {
        let mut offset = 0;
        let place = |range: &Range<usize>| {
            let place = Self { start: range.start as *mut u8, bytes: range.len(), offset };
            offset += range.len();
            place
        };
        ranges.iter().map(place).collect()
    }
}

/// What ranks have for themselves, as it is before any of them begins.
pub struct Snapshot {
    places: Vec<Place>,
    initial: Box<[u8]>,
    pages: Option<Pages>,
    /// The part of it that threads have for themselves.
    pub locals: Locals,
}

impl Snapshot {
    /// `ranges` are addresses.
    ///
    /// # Safety
    /// The ranges must be writable memory as long as this lives. Nothing else may use whole pages of them.
    pub unsafe fn of(ranges: &[Range<usize>]) -> Self {
        let bytes: usize = ranges.iter().map(Range::len).sum();
        let whole = if bytes > MOST_COPIED { super::pages::largest(ranges) } else { 0..0 };
        let outside = ranges.iter().flat_map(|range| {
            let before = range.start..range.end.min(whole.start.max(range.start));
            let after = range.start.max(whole.end.min(range.end))..range.end;
            if whole.is_empty() { [range.clone(), 0..0] } else { [before, after] }
        });
        let outside: Vec<_> = outside.filter(|range| !range.is_empty()).collect();
        let parts = outside.iter().map(|range| {
            // SAFETY: see above.
            unsafe { std::slice::from_raw_parts(range.start as *const u8, range.len()) }
        });
        let initial = parts.collect::<Vec<_>>().concat().into();
        // SAFETY: as above.
        let pages = (!whole.is_empty()).then(|| unsafe { Pages::of(whole) });
        Self { places: Place::all(&outside), initial, pages, locals: Locals::default() }
    }

    /// Whether ranks have nothing for themselves.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty() && self.pages.is_none()
    }

    /// Bytes that are copied for each rank.
    pub fn copied_bytes(&self) -> usize {
        self.initial.len()
    }
}

/// The globals of all ranks. A rank has a copy once it has changed them.
pub struct PrivateGlobals {
    places: Vec<Place>,
    initial: Box<[u8]>,
    copies: RefCell<Vec<Option<Box<[u8]>>>>,
    pages: Option<PrivatePages>,
    pub locals: Locals,
}

impl PrivateGlobals {
    /// Writes the initial values to the globals.
    ///
    /// # Errors
    /// When there is no address space for the pages of so many ranks.
    ///
    /// # Safety
    /// The memory of the snapshot must live as long as this.
    pub unsafe fn new(snapshot: &Snapshot, ranks: u32) -> Result<Self, String> {
        // SAFETY: as the caller promised.
        let pages = snapshot.pages.as_ref().map(|pages| unsafe { PrivatePages::new(pages, ranks) });
        let private = Self {
            places: snapshot.places.clone(),
            initial: snapshot.initial.clone(),
            copies: RefCell::new(vec![None; ranks as usize]),
            pages: pages.transpose()?,
            locals: snapshot.locals.clone(),
        };
        private.put(&private.initial);
        Ok(private)
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

    /// Takes the globals in place aside: they are those of `rank`.
    pub fn leave(&self, rank: u32) {
        let mut copies = self.copies.borrow_mut();
        let copy = &mut copies[rank as usize];
        match copy {
            Some(copy) => self.take(copy),
            None if self.is_initial() => {}
            None => self.take(copy.insert(self.initial.clone())),
        }
        if let Some(pages) = &self.pages {
            pages.leave(rank);
        }
    }

    /// Puts the globals of `rank` into place, from which those of others were taken.
    pub fn arrive(&self, rank: u32) {
        let copies = self.copies.borrow();
        self.put(copies[rank as usize].as_deref().unwrap_or(&self.initial));
        if let Some(pages) = &self.pages {
            pages.arrive(rank);
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
        if let Some(before) = before {
            self.leave(before);
        }
        self.arrive(rank);
    }

    fn renew(&mut self, rank: u32, running: Option<u32>) {
        self.copies.get_mut()[rank as usize] = None;
        if running == Some(rank) {
            self.put(&self.initial);
        }
        if let Some(pages) = &self.pages {
            pages.renew(rank, running == Some(rank));
        }
    }

    fn translate(&self, rank: u32, address: *mut u8, running: Option<u32>) -> *mut u8 {
        if running == Some(rank) {
            return address;
        }
        if let Some(aside) = self.pages.as_ref().and_then(|pages| pages.aside(rank, address)) {
            return aside;
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

    fn locals(&self, _: u32) -> Box<[u8]> {
        self.locals.take()
    }

    fn set_locals(&self, _: u32, locals: Option<&[u8]>) {
        self.locals.put(locals);
    }
}
