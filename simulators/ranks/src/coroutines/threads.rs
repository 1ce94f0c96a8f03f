//! Threads of ranks: further coroutines, each with a stack and thread-local variables of its own. The
//! first thread of a rank is the rank's coroutine, and has the number 0.

#![expect(unsafe_code, reason = "stacks and switches of coroutines")]

use super::PrivateMemory;
use super::running::{self, Pause};
use corosensei::Coroutine;
use corosensei::stack::{MIN_STACK_SIZE, Stack, StackPointer};
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr;

/// What a thread begins with.
#[derive(Debug, Clone, Copy)]
pub struct Start {
    /// The program's function, which must not return by an exception.
    pub run: unsafe extern "C" fn(*mut c_void),
    pub argument: *mut c_void,
    /// 0 stands for as much as a rank has.
    pub stack_bytes: usize,
}

pub(super) type Thread = Coroutine<(), Pause, (), ThreadStack>;

/// The threads of all ranks, without the first of each rank.
#[derive(Default)]
pub(super) struct Threads {
    begun: BTreeMap<(u32, u32), Begun>,
    /// The thread-local variables of threads whose rank has those of another thread in place.
    aside: BTreeMap<(u32, u32), Box<[u8]>>,
    /// The thread whose variables each rank has in place, if it lives; that is 0 of other ranks.
    in_place: BTreeMap<u32, Option<u32>>,
}

struct Begun {
    coroutine: Thread,
    guard: usize,
}

impl Threads {
    pub fn begin(&mut self, rank: u32, thread: u32, start: Start) -> Result<(), String> {
        let stack = ThreadStack::new(start.stack_bytes)?;
        let guard = stack.start;
        let coroutine = Coroutine::with_stack(stack, move |switch, ()| {
            running::begin(switch);
            // SAFETY: the program gave this function and its argument to start a thread with.
            unsafe { (start.run)(start.argument) };
        });
        self.begun.insert((rank, thread), Begun { coroutine, guard });
        Ok(())
    }

    /// The coroutine of a thread, and the address of the guard below its stack.
    pub fn of(&mut self, rank: u32, thread: u32) -> Option<(&mut Thread, usize)> {
        self.begun.get_mut(&(rank, thread)).map(|begun| (&mut begun.coroutine, begun.guard))
    }

    /// Whether no rank has threads beside its first, or variables of theirs.
    #[inline]
    pub fn are_none(&self) -> bool {
        self.begun.is_empty() && self.in_place.is_empty()
    }

    /// Whether a rank has threads beside its first.
    pub fn has(&self, rank: u32) -> bool {
        self.begun.range((rank, 0)..=(rank, u32::MAX)).next().is_some()
    }

    /// Whether threads of a rank have variables of their own.
    pub fn keeps(&self, rank: u32) -> bool {
        self.has(rank) || self.in_place.contains_key(&rank)
    }

    /// Puts the thread-local variables of a thread in place; the memory of its rank is there.
    pub fn put_in_place(&mut self, rank: u32, thread: u32, memory: &dyn PrivateMemory) {
        let before = self.in_place.insert(rank, Some(thread)).unwrap_or(Some(0));
        if before != Some(thread) {
            if let Some(before) = before {
                self.aside.insert((rank, before), memory.locals(rank));
            }
            let own = self.aside.remove(&(rank, thread));
            memory.set_locals(rank, own.as_deref());
        }
    }

    /// A thread has ended.
    pub fn end(&mut self, rank: u32, thread: u32) {
        if let Some(mut begun) = self.begun.remove(&(rank, thread)) {
            // SAFETY: see `Ranks::drop`.
            unsafe { begun.coroutine.force_reset() };
        }
        self.aside.remove(&(rank, thread));
        if let Some(place) = self.in_place.get_mut(&rank).filter(|place| **place == Some(thread)) {
            *place = None;
        }
    }

    /// A rank has ended, and its threads with it.
    pub fn end_all(&mut self, rank: u32) {
        let all = (rank, 0)..=(rank, u32::MAX);
        let numbers: Vec<u32> = self.begun.range(all).map(|(&(_, thread), _)| thread).collect();
        numbers.into_iter().for_each(|thread| self.end(rank, thread));
        self.aside.remove(&(rank, 0));
        self.in_place.remove(&rank);
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        for begun in self.begun.values_mut() {
            // SAFETY: see `Ranks::drop`.
            unsafe { begun.coroutine.force_reset() };
        }
    }
}

/// The stack of a thread, above a page that nobody can touch.
pub(super) struct ThreadStack {
    start: usize,
    bytes: usize,
}

impl ThreadStack {
    fn new(stack_bytes: usize) -> Result<Self, String> {
        // SAFETY: asks for a number.
        let page_bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let least = stack_bytes.max(MIN_STACK_SIZE);
        let bytes =
            least.checked_next_multiple_of(page_bytes).and_then(|own| own.checked_add(page_bytes));
        let bytes = bytes.ok_or("its stack is too large")?;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping, wherever the kernel puts it.
        let start = unsafe { libc::mmap(ptr::null_mut(), bytes, access, flags, -1, 0) };
        // SAFETY: its first page becomes the guard, which nobody uses.
        let guard = |start| unsafe { libc::mprotect(start, page_bytes, libc::PROT_NONE) };
        if start == libc::MAP_FAILED || guard(start) != 0 {
            return Err(format!("there is no room for its stack of {bytes} B"));
        }
        Ok(Self { start: start as usize, bytes })
    }
}

impl Drop for ThreadStack {
    fn drop(&mut self) {
        // SAFETY: the mapping is this stack's own, and its coroutine is gone.
        unsafe { libc::munmap(self.start as *mut _, self.bytes) };
    }
}

// SAFETY: the memory is mapped as long as the stack lives, its lowest page is a guard, and both ends are
// multiples of a page.
unsafe impl Stack for ThreadStack {
    fn base(&self) -> StackPointer {
        StackPointer::new(self.start + self.bytes).expect("the mapping is not at 0")
    }

    fn limit(&self) -> StackPointer {
        StackPointer::new(self.start).expect("the mapping is not at 0")
    }
}
