//! Large globals, of which every rank has pages of its own. A switch moves the pages of one rank aside and
//! those of the other into place. The kernel moves entries of page tables; nothing is copied, and a page
//! that no rank touches takes no memory.

#![expect(unsafe_code, reason = "system calls")]

use std::cell::Cell;
use std::ops::Range;
use std::{io, ptr, slice};

/// Every rank may have a mapping of its own, of which a process has 65,530.
const MOST_RANKS: u32 = 30_000;
/// Between the parts of a library lie no more bytes than alignment takes.
const MOST_BETWEEN: usize = 64;

fn page_bytes() -> usize {
    // SAFETY: asks for a number.
    unsafe { libc::sysconf(libc::_SC_PAGESIZE) as usize }
}

/// The whole pages of the largest group of neighbours among `ranges`.
pub fn largest(ranges: &[Range<usize>]) -> Range<usize> {
    let mut sorted = ranges.to_vec();
    sorted.sort_by_key(|range| range.start);
    let mut groups: Vec<Range<usize>> = vec![];
    for range in sorted {
        match groups.last_mut() {
            Some(last) if range.start <= last.end + MOST_BETWEEN => last.end = range.end,
            _ => groups.push(range),
        }
    }
    let page = page_bytes();
    let whole = |group: Range<usize>| group.start.next_multiple_of(page)..group.end / page * page;
    let groups = groups.into_iter().map(whole).filter(|group| !group.is_empty());
    groups.max_by_key(Range::len).unwrap_or(0..0)
}

/// Pages as they are before any rank begins.
#[derive(Debug, Clone)]
pub struct Pages {
    place: Range<usize>,
    /// Offsets and contents of those that hold anything but zeros.
    filled: Vec<(usize, Box<[u8]>)>,
}

impl Pages {
    /// # Safety
    /// `place` must be whole pages that can be read.
    pub unsafe fn of(place: Range<usize>) -> Self {
        let page = page_bytes();
        let filled = place.clone().step_by(page).filter_map(|start| {
            // SAFETY: see above.
            let bytes = unsafe { slice::from_raw_parts(start as *const u8, page) };
            let is_filled = bytes.iter().any(|&byte| byte != 0);
            is_filled.then(|| (start - place.start, bytes.into()))
        });
        Self { filled: filled.collect(), place }
    }

    fn write_to(&self, start: usize) {
        for (offset, bytes) in &self.filled {
            let target = (start + offset) as *mut u8;
            // SAFETY: `start` is writable memory as large as the place; the contents lie elsewhere.
            unsafe { target.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        }
    }
}

/// The pages of all ranks.
pub struct PrivatePages {
    pages: Pages,
    /// Where ranks that do not run have their pages, one behind the other.
    aside: usize,
    /// Whether a rank has its pages already.
    begun: Vec<Cell<bool>>,
}

impl PrivatePages {
    /// # Errors
    /// When ranks are too many, or there is no address space.
    ///
    /// # Safety
    /// The place must be of a library that stays loaded, and nothing else may use it.
    pub unsafe fn new(pages: &Pages, ranks: u32) -> Result<Self, String> {
        let bytes = pages.place.len();
        if ranks > MOST_RANKS {
            return Err(format!(
                "{bytes} B of globals for each of {ranks} ranks; at most {MOST_RANKS} ranks can have \
                 so large ones: allocate them in MGEN_Main, or make them const"
            ));
        }
        let all =
            bytes.checked_mul(ranks as usize).ok_or("the globals of all ranks are too large")?;
        let aside = map(0, all, 0).map_err(|reason| {
            format!("no address space for {bytes} B of globals of {ranks} ranks ({reason})")
        })?;
        // One mapping in place of those of the library, so that one call moves it.
        // SAFETY: as the caller promised; the values are kept in `pages`.
        map(pages.place.start, bytes, libc::MAP_FIXED).map_err(|reason| reason.to_string())?;
        pages.write_to(pages.place.start);
        let begun = vec![Cell::new(false); ranks as usize];
        Ok(Self { pages: pages.clone(), aside, begun })
    }

    /// Moves the pages in place aside: they are those of `rank`.
    pub fn leave(&self, rank: u32) {
        self.moved(self.pages.place.start, self.slot(rank));
    }

    /// Moves the pages of `rank` into place.
    pub fn arrive(&self, rank: u32) {
        self.begin(rank);
        self.moved(self.slot(rank), self.pages.place.start);
    }

    /// Gives the rank the pages that it had before it began.
    pub fn renew(&self, rank: u32, is_in_place: bool) {
        let begun = &self.begun[rank as usize];
        if !begun.get() {
            return;
        }
        let start = if is_in_place { self.pages.place.start } else { self.slot(rank) };
        // SAFETY: the pages are this structure's own, and anonymous: they read as zeros afterwards.
        unsafe { libc::madvise(start as *mut _, self.pages.place.len(), libc::MADV_DONTNEED) };
        begun.set(is_in_place);
        if is_in_place {
            self.pages.write_to(start);
        }
    }

    /// Where the byte of `rank` lies that it sees at `address`, if that is in a page.
    pub fn aside(&self, rank: u32, address: *mut u8) -> Option<*mut u8> {
        let place = &self.pages.place;
        place.contains(&(address as usize)).then(|| {
            self.begin(rank);
            (self.slot(rank) + (address as usize - place.start)) as *mut u8
        })
    }

    fn begin(&self, rank: u32) {
        if !self.begun[rank as usize].replace(true) {
            self.pages.write_to(self.slot(rank));
        }
    }

    fn slot(&self, rank: u32) -> usize {
        self.aside + rank as usize * self.pages.place.len()
    }

    /// The source stays mapped, and empty: nothing else may come to lie there.
    fn moved(&self, from: usize, to: usize) {
        let bytes = self.pages.place.len();
        let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED | libc::MREMAP_DONTUNMAP;
        // SAFETY: both ranges are this structure's own.
        let moved =
            unsafe { libc::mremap(from as *mut _, bytes, bytes, flags, to as *mut libc::c_void) };
        assert!(
            moved != libc::MAP_FAILED,
            "the pages of globals cannot be moved ({}): this needs Linux 5.7",
            io::Error::last_os_error()
        );
    }
}

impl Drop for PrivatePages {
    fn drop(&mut self) {
        let bytes = self.pages.place.len() * self.begun.len();
        // SAFETY: mapped in `new`; no rank is left that could use it.
        unsafe { libc::munmap(self.aside as *mut _, bytes) };
    }
}

/// Maps empty pages.
fn map(start: usize, bytes: usize, more: libc::c_int) -> io::Result<usize> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | more;
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let hint = if start == 0 { ptr::null_mut() } else { start as *mut libc::c_void };
    // SAFETY: a new mapping; a fixed one replaces what the caller owns.
    let mapped = unsafe { libc::mmap(hint, bytes, access, flags, -1, 0) };
    if mapped == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(mapped as usize) }
}
