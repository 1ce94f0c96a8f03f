//! Finds endless loops: a timer of CPU time checks whether the running rank has made a call or ended
//! since its last tick. Calls and switches only count steps, which costs little. The same ticks show how much
//! of the time the program itself takes.

#![expect(unsafe_code, reason = "handlers of signals")]

use super::crash::handle;
use super::report::{LastCall, die, say};
use crate::coroutines;
use crate::names::EngineOption;
use std::fmt;
use std::os::raw::{c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

/// Ticks of the timer within the limit.
const TICKS: f64 = 10.0;
/// CPU time between two lines about a point that takes long.
const LINE_MS: u64 = 30_000;
/// Why a loop of a rank with threads may be endless.
const OF_THREADS: &str = " Nothing interrupts a thread: a loop that waits for another thread must call \
                          sched_yield, a lock or a call of MPI.";

static SEEN: AtomicU64 = AtomicU64::new(u64::MAX);
static SINCE: AtomicU64 = AtomicU64::new(0);
static LIMIT_TICKS: AtomicU64 = AtomicU64::new(0);
static LIMIT_MS: AtomicU64 = AtomicU64::new(0);
static TICK_MS: AtomicU64 = AtomicU64::new(0);
/// All ticks, and those that met code of the program.
static ALL: AtomicU64 = AtomicU64::new(0);
static OWN: AtomicU64 = AtomicU64::new(0);

/// How much of the point's time the program takes, as a part of a sentence; in whole seconds.
pub(super) struct Shares;

impl fmt::Display for Shares {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let seconds = |ticks: &AtomicU64| {
            ticks.load(Ordering::Relaxed) * TICK_MS.load(Ordering::Relaxed) / 1000
        };
        let (all, own) = (seconds(&ALL), seconds(&OWN));
        write!(f, "{all} s of CPU time, {own} s of it in the program's own code between calls")
    }
}

/// Starts the timer. A rank may run for `limit_s` of CPU time without a call.
pub(super) fn install(limit_s: f64) {
    let tick_s = (limit_s / TICKS).clamp(0.01, 1.0);
    LIMIT_TICKS.store((limit_s / tick_s).ceil() as u64, Ordering::Relaxed);
    LIMIT_MS.store((limit_s * 1e3) as u64, Ordering::Relaxed);
    TICK_MS.store((tick_s * 1e3) as u64, Ordering::Relaxed);
    handle(libc::SIGPROF, on_tick);
    let microseconds = (tick_s * 1e6) as i64;
    let each =
        libc::timeval { tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000 };
    let timer = libc::itimerval { it_interval: each, it_value: each };
    // SAFETY: the timer is valid for reads; its signal has a handler.
    unsafe { libc::setitimer(libc::ITIMER_PROF, &timer, ptr::null_mut()) };
}

extern "C" fn on_tick(_: c_int, _: *mut libc::siginfo_t, _: *mut c_void) {
    count();
    let steps = coroutines::steps();
    let before = SEEN.swap(steps, Ordering::Relaxed);
    let Some(running) = coroutines::running().filter(|_| steps == before) else {
        SINCE.store(0, Ordering::Relaxed);
        return;
    };
    let ticks = SINCE.fetch_add(1, Ordering::Relaxed) + 1;
    if ticks >= LIMIT_TICKS.load(Ordering::Relaxed) {
        let limit_s = LIMIT_MS.load(Ordering::Relaxed) as f64 / 1e3;
        die(format_args!(
            "{running} has run for {limit_s} s of CPU time without a call, {LastCall}: an \
             endless loop?{} To allow more, raise {}",
            if running.is_threaded { OF_THREADS } else { "" },
            EngineOption("loop_limit")
        ));
    }
}

/// Counts the tick, and writes a line to the log from time to time.
fn count() {
    OWN.fetch_add(coroutines::computes().into(), Ordering::Relaxed);
    let ticks = ALL.fetch_add(1, Ordering::Relaxed) + 1;
    let each = (LINE_MS / TICK_MS.load(Ordering::Relaxed).max(1)).max(1);
    if ticks % each != 0 {
        return;
    }
    match coroutines::current() {
        Some(rank) => say(format_args!("so far {Shares}; rank {rank} runs, {LastCall}")),
        None => say(format_args!("so far {Shares}")),
    }
}
