//! One mapping that holds the stacks of all ranks. Only touched pages take memory: a rank that has not
//! begun costs nothing, one that has begun costs a page or two.
//!
//! A guard of one page lies below each stack. `MADV_GUARD_INSTALL` (Linux 6.13) makes a guard page
//! without a mapping of its own; a process may have only 65,530 mappings. On older kernels there are no
//! guard pages. There the lowest bytes of a stack must stay zero, and every switch checks them.

#![expect(unsafe_code, reason = "stacks and switches of coroutines")]

use crate::names::EngineOption;
use corosensei::stack::{MIN_STACK_SIZE, Stack, StackPointer};
use std::io;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The `libc` crate does not have it for all systems; the number is the same on all architectures.
const MADV_GUARD_INSTALL: libc::c_int = 102;
/// Bytes at the end of a stack that must stay zero where there is no guard page.
const CANARY_BYTES: usize = 64;
/// Stacks begin at different places of their first page, so that ranks do not all use the same sets of
/// the caches.
const COLOURS: usize = 8;
const COLOUR_BYTES: usize = 128;

/// The mapping of all stacks.
pub struct Arena {
    start: usize,
    bytes: usize,
    page_bytes: usize,
    slot_bytes: usize,
    guarded: bool,
}

/// Start and end of the mapping, bytes of a slot and of its guard, for [`guard_at`] in a signal handler.
static KNOWN: [AtomicUsize; 4] = [const { AtomicUsize::new(0) }; 4];

/// The rank whose guard page holds `address`.
pub fn guard_at(address: usize) -> Option<u32> {
    let [start, end, slot, guard] = KNOWN.each_ref().map(|word| word.load(Ordering::Relaxed));
    let inside = address.checked_sub(start).filter(|_| address < end)?;
    (inside % slot < guard).then_some((inside / slot) as u32)
}

impl Arena {
    /// Reserves stacks of at least `stack_bytes` for `count` ranks.
    pub fn new(count: u32, stack_bytes: usize) -> Result<Self, String> {
        // SAFETY: asks for a number.
        let page_bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let stack_bytes = stack_bytes.max(MIN_STACK_SIZE).next_multiple_of(page_bytes);
        let slot_bytes = stack_bytes + page_bytes;
        let bytes = slot_bytes.checked_mul(count as usize).ok_or("too many ranks")?;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping, wherever the kernel puts it.
        let start = unsafe { libc::mmap(ptr::null_mut(), bytes, access, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            let reason = io::Error::last_os_error();
            return Err(format!(
                "no address space for {count} stacks of {stack_bytes} B ({reason}); make {} smaller",
                EngineOption("stack")
            ));
        }
        // Huge pages would give every rank 2 MiB.
        // SAFETY: the mapping was made above.
        unsafe { libc::madvise(start, bytes, libc::MADV_NOHUGEPAGE) };
        let mut arena =
            Self { start: start as usize, bytes, page_bytes, slot_bytes, guarded: true };
        arena.guarded = count == 0 || arena.install_guard(0);
        let guard = if arena.guarded { page_bytes } else { 0 };
        let known = [arena.start, arena.start + bytes, slot_bytes, guard];
        for (word, value) in KNOWN.iter().zip(known) {
            word.store(value, Ordering::Relaxed);
        }
        Ok(arena)
    }

    /// The stack of a rank that begins now.
    pub fn stack(&self, rank: u32) -> Slot {
        if self.guarded {
            self.install_guard(rank);
        }
        let lowest = self.start + rank as usize * self.slot_bytes;
        let colour = rank as usize % COLOURS * COLOUR_BYTES;
        Slot { base: lowest + self.slot_bytes - colour, limit: lowest }
    }

    /// Whether a rank has written below its stack. Where there are guard pages, a signal reports that
    /// instead.
    pub fn is_overflown(&self, rank: u32) -> bool {
        if self.guarded {
            return false;
        }
        let lowest = self.start + rank as usize * self.slot_bytes + self.page_bytes;
        // SAFETY: the bytes lie in the mapping; they are only read.
        let canary = unsafe { std::slice::from_raw_parts(lowest as *const u8, CANARY_BYTES) };
        canary.iter().any(|&byte| byte != 0)
    }

    fn install_guard(&self, rank: u32) -> bool {
        let lowest = self.start + rank as usize * self.slot_bytes;
        // SAFETY: the page lies in the mapping and holds nothing: stacks begin above it.
        unsafe { libc::madvise(lowest as *mut _, self.page_bytes, MADV_GUARD_INSTALL) == 0 }
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        KNOWN[1].store(0, Ordering::Relaxed);
        // SAFETY: no coroutine is left: `Ranks` drops them before the arena.
        unsafe { libc::munmap(self.start as *mut _, self.bytes) };
    }
}

/// A rank's part of the arena, guard included.
pub struct Slot {
    base: usize,
    limit: usize,
}

// SAFETY: the memory is mapped as long as the arena lives, which outlives its coroutines; the lowest
// page is a guard or is watched by `is_overflown`; pages and colours are multiples of the alignment.
unsafe impl Stack for Slot {
    fn base(&self) -> StackPointer {
        StackPointer::new(self.base).expect("the mapping is not at 0")
    }

    fn limit(&self) -> StackPointer {
        StackPointer::new(self.limit).expect("the mapping is not at 0")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_do_not_overlap_and_begin_at_different_places_of_their_page() {
        let arena = Arena::new(3, 8192).unwrap();
        let [first, second] = [arena.stack(0), arena.stack(1)];
        assert!(first.base <= second.limit);
        assert_ne!(first.base % arena.page_bytes, second.base % arena.page_bytes);
    }

    #[test]
    fn a_written_end_of_a_stack_is_seen_where_there_is_no_guard_page() {
        let mut arena = Arena::new(2, 8192).unwrap();
        arena.guarded = false;
        assert!(!arena.is_overflown(1));
        let lowest = arena.start + arena.slot_bytes + arena.page_bytes;
        // SAFETY: the byte lies in the stack of rank 1.
        unsafe { *(lowest as *mut u8) = 1 };
        assert!(arena.is_overflown(1) && !arena.is_overflown(0));
    }
}
