//! Finds endless loops: a timer of CPU time checks whether the running rank has made a call or ended
//! since its last tick, and whether its simulated time has moved. Calls and switches only count steps, which
//! costs little. The same ticks show how much of the time the program itself takes.

#![expect(unsafe_code, reason = "handlers of signals")]

use super::crash::handle;
use super::report::{LastCall, die, say};
use crate::coroutines::{self, Running};
use crate::names::EngineOption;
use std::fmt;
use std::os::raw::{c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Ticks of the timer within the limit.
const TICKS: f64 = 10.0;
/// CPU time between two lines about a point that takes long.
const LINE_MS: u64 = 30_000;
/// Why a loop of a rank with threads may be endless.
const OF_THREADS: &str = " Nothing interrupts a thread: a loop that waits for another thread must call \
                          sched_yield, a lock or a call of MPI.";

/// Of the ticks at one simulated time, this part met a call if they meet a loop of calls. A program that
/// computes much and calls now and then is met in its own code.
const PART_OF_CALLS: u64 = 4;

/// Steps at the last tick, and the ticks since a call.
static SEEN: AtomicU64 = AtomicU64::new(u64::MAX);
static SINCE: AtomicU64 = AtomicU64::new(0);
/// Moves at the last tick, and the ticks since one: all of them, those that met a call, and the steps at
/// the first.
static MOVED: AtomicU64 = AtomicU64::new(u64::MAX);
static AT_ONCE: AtomicU64 = AtomicU64::new(0);
static IN_CALLS: AtomicU64 = AtomicU64::new(0);
static FIRST: AtomicU64 = AtomicU64::new(0);
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
        let seconds = |ticks: &AtomicU64| ticks.load(Relaxed) * TICK_MS.load(Relaxed) / 1000;
        let (all, own) = (seconds(&ALL), seconds(&OWN));
        write!(f, "{all} s of CPU time, {own} s of it in the program's own code between calls")
    }
}

/// Starts the timer. A rank may run for `limit_s` of CPU time without a call.
pub(super) fn install(limit_s: f64) {
    let tick_s = (limit_s / TICKS).clamp(0.01, 1.0);
    LIMIT_TICKS.store((limit_s / tick_s).ceil() as u64, Relaxed);
    LIMIT_MS.store((limit_s * 1e3) as u64, Relaxed);
    TICK_MS.store((tick_s * 1e3) as u64, Relaxed);
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
    let running = coroutines::running();
    look_for_code(running);
    look_for_calls(running);
}

/// Looks for a loop without a call.
fn look_for_code(running: Option<Running>) {
    let steps = coroutines::steps();
    let before = SEEN.swap(steps, Relaxed);
    let Some(running) = running.filter(|_| steps == before) else {
        SINCE.store(0, Relaxed);
        return;
    };
    let ticks = SINCE.fetch_add(1, Relaxed) + 1;
    if ticks >= LIMIT_TICKS.load(Relaxed) {
        die(format_args!(
            "{running} has run for {} s of CPU time without a call, {LastCall}: an \
             endless loop?{} To allow more, raise {}",
            limit_s(),
            if running.is_threaded { OF_THREADS } else { "" },
            EngineOption("loop_limit")
        ));
    }
}

/// Looks for a loop of calls that let no simulated time pass. What the simulator does meanwhile does not count.
fn look_for_calls(running: Option<Running>) {
    let Some(running) = running else { return };
    let moves = coroutines::moves();
    if MOVED.swap(moves, Relaxed) != moves {
        AT_ONCE.store(0, Relaxed);
        IN_CALLS.store(0, Relaxed);
        FIRST.store(coroutines::steps(), Relaxed);
        return;
    }
    let ticks = AT_ONCE.fetch_add(1, Relaxed) + 1;
    let met = u64::from(!coroutines::computes());
    let met = IN_CALLS.fetch_add(met, Relaxed) + met;
    if ticks >= LIMIT_TICKS.load(Relaxed) && met * PART_OF_CALLS >= ticks {
        die(format_args!(
            "{running} has made {} calls within {} s of CPU time, and no simulated time passes, {LastCall}: \
             an endless loop? To allow more, raise {}",
            coroutines::steps().wrapping_sub(FIRST.load(Relaxed)),
            limit_s(),
            EngineOption("loop_limit")
        ));
    }
}

fn limit_s() -> f64 {
    LIMIT_MS.load(Relaxed) as f64 / 1e3
}

/// Counts the tick, and writes a line to the log from time to time.
fn count() {
    OWN.fetch_add(coroutines::computes().into(), Relaxed);
    let ticks = ALL.fetch_add(1, Relaxed) + 1;
    let each = (LINE_MS / TICK_MS.load(Relaxed).max(1)).max(1);
    if ticks % each != 0 {
        return;
    }
    match coroutines::current() {
        Some(rank) => say(format_args!("so far {Shares}; rank {rank} runs, {LastCall}")),
        None => say(format_args!("so far {Shares}")),
    }
}
