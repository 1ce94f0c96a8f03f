//! The rank that runs on this thread, for calls from inside a program and for signal handlers.

#![expect(unsafe_code, reason = "stacks and switches of coroutines")]

use corosensei::Yielder;
use std::cell::Cell;
use std::fmt;
use std::ptr;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

const NOBODY: u32 = u32::MAX;

/// Why a rank or a thread gives control back before its function returns.
pub(super) enum Pause {
    Waits,
    /// Its rank ends with this code.
    Ends(i32),
    /// The thread ends.
    Leaves,
}

pub(super) type Switch = Yielder<(), Pause>;

/// A rank or one of its threads, as messages name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Running {
    pub rank: u32,
    pub thread: u32,
    /// Whether the rank has several threads.
    pub is_threaded: bool,
}

impl fmt::Display for Running {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.thread {
            0 => write!(f, "rank {}", self.rank),
            thread => write!(f, "rank {}, thread {thread}", self.rank),
        }
    }
}

/// The rank that ran last in this process; only one thread of a process simulates.
static LAST: AtomicU32 = AtomicU32::new(NOBODY);
/// Where the guard page below the stack of the running thread begins; 0 for the first of a rank.
static GUARD: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static RANK: Cell<u32> = const { Cell::new(NOBODY) };
    static THREAD: Cell<(u32, bool)> = const { Cell::new((0, false)) };
    static SWITCH: Cell<*const Switch> = const { Cell::new(ptr::null()) };
    static CALLS: Cell<*mut &'static str> = const { Cell::new(ptr::null_mut()) };
    /// Grows with every switch and every call. While it stands still, a rank runs without calling.
    static STEPS: Cell<u64> = const { Cell::new(0) };
    /// The time of the last call, and a number that grows whenever another rank or thread runs, or makes a
    /// call at another time. While it stands still, one rank runs alone, and its time stands still.
    static INSTANT: Cell<u64> = const { Cell::new(0) };
    static MOVES: Cell<u64> = const { Cell::new(0) };
    /// Whether the running rank is in a call, and not in code of its program.
    static IN_CALL: Cell<bool> = const { Cell::new(false) };
}

/// The rank that runs now, if one does.
#[inline]
pub fn current() -> Option<u32> {
    Some(RANK.get()).filter(|&rank| rank != NOBODY)
}

/// The rank and the thread that run now, if any do.
pub fn running() -> Option<Running> {
    let (thread, is_threaded) = THREAD.get();
    current().map(|rank| Running { rank, thread, is_threaded })
}

/// Whether an address is in the page below the stack of the running thread, which is not the first of
/// its rank.
pub fn guards(address: usize, page_bytes: usize) -> bool {
    let guard = GUARD.load(Ordering::Relaxed);
    guard > 0 && (guard..guard + page_bytes).contains(&address)
}

/// The rank that ran last, if one did.
pub fn last() -> Option<u32> {
    rank_of(LAST.load(Ordering::Relaxed))
}

/// Address of the number of the rank that ran last, for a process that reads this one's memory;
/// [`rank_of`] turns the number into a rank.
pub fn last_address() -> usize {
    LAST.as_ptr() as usize
}

/// The rank with the number at [`last_address`], if a rank has run.
pub fn rank_of(number: u32) -> Option<u32> {
    Some(number).filter(|&number| number != NOBODY)
}

/// Returns control to the caller of `resume`, until the running rank is resumed again.
///
/// # Panics
/// When no rank runs.
#[inline]
pub fn suspend() {
    give_back(Pause::Waits);
}

/// Ends the running rank from inside a call, as if its program had returned `code`.
///
/// # Panics
/// When no rank runs.
pub fn end(code: i32) -> ! {
    loop {
        give_back(Pause::Ends(code));
    }
}

/// The running rank has several threads from now on.
pub fn note_thread() {
    THREAD.set((THREAD.get().0, true));
}

/// Ends the running thread, which is not the first of its rank, from inside a call.
///
/// # Panics
/// When no rank runs.
pub fn leave_thread() -> ! {
    loop {
        give_back(Pause::Leaves);
    }
}

#[inline]
fn give_back(pause: Pause) {
    let switch = SWITCH.get();
    assert!(!switch.is_null(), "only a running rank can return control");
    // SAFETY: the switch of the running rank lies on its stack, which lives while the rank runs.
    unsafe { (*switch).suspend(pause) };
    SWITCH.set(switch);
}

/// Stores the name of the call that the running rank has begun, for messages about failures, and the time
/// of the rank, in any unit.
#[inline]
pub fn note_call(name: &'static str, at: u64) {
    let calls = CALLS.get();
    if !calls.is_null() {
        // SAFETY: `resume` stored the address of the rank's entry in a list that outlives its run.
        unsafe { *calls = name };
    }
    IN_CALL.set(true);
    STEPS.set(STEPS.get().wrapping_add(1));
    if INSTANT.replace(at) != at {
        MOVES.set(MOVES.get().wrapping_add(1));
    }
}

/// The call of the running rank has ended: its program goes on.
#[inline]
pub fn note_return() {
    IN_CALL.set(false);
}

/// Whether a rank runs code of its program now.
pub fn computes() -> bool {
    current().is_some() && !IN_CALL.get()
}

/// The last call of the running rank; empty before its first call.
pub fn last_call() -> &'static str {
    let calls = CALLS.get();
    if calls.is_null() {
        return "";
    }
    // SAFETY: as in `note_call`.
    unsafe { *calls }
}

/// A number that changes whenever a rank is resumed or makes a call.
pub fn steps() -> u64 {
    STEPS.get()
}

/// A number that changes whenever another rank or thread runs than before, or makes a call at another time
/// than the last one.
pub fn moves() -> u64 {
    MOVES.get()
}

pub(super) fn begin(switch: &Switch) {
    SWITCH.set(switch);
}

#[inline]
pub(super) fn enter(running: Running, call: *mut &'static str, guard: usize) {
    let Running { rank, thread, is_threaded } = running;
    if (LAST.load(Ordering::Relaxed), THREAD.get().0) != (rank, thread) {
        MOVES.set(MOVES.get().wrapping_add(1));
    }
    RANK.set(rank);
    THREAD.set((thread, is_threaded));
    GUARD.store(guard, Ordering::Relaxed);
    LAST.store(rank, Ordering::Relaxed);
    CALLS.set(call);
    // A rank that has made a call was suspended in one.
    // SAFETY: as in `note_call`.
    let last = unsafe { *call };
    IN_CALL.set(!last.is_empty());
    STEPS.set(STEPS.get().wrapping_add(1));
}

#[inline]
pub(super) fn leave() {
    RANK.set(NOBODY);
    CALLS.set(ptr::null_mut());
    SWITCH.set(ptr::null());
}
