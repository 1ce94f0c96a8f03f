//! Finds endless loops: a timer of CPU time checks whether the running rank has made a call or ended
//! since its last tick. Calls and switches only count steps, which costs little.

#![expect(unsafe_code, reason = "handlers of signals")]

use super::crash::handle;
use super::report::{LastCall, die};
use crate::coroutines;
use crate::names::EngineOption;
use std::os::raw::{c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

/// Ticks of the timer within the limit.
const TICKS: f64 = 10.0;

static SEEN: AtomicU64 = AtomicU64::new(u64::MAX);
static SINCE: AtomicU64 = AtomicU64::new(0);
static LIMIT_TICKS: AtomicU64 = AtomicU64::new(0);
static LIMIT_MS: AtomicU64 = AtomicU64::new(0);

/// Starts the timer. A rank may run for `limit_s` of CPU time without a call.
pub(super) fn install(limit_s: f64) {
    let tick_s = (limit_s / TICKS).clamp(0.01, 1.0);
    LIMIT_TICKS.store((limit_s / tick_s).ceil() as u64, Ordering::Relaxed);
    LIMIT_MS.store((limit_s * 1e3) as u64, Ordering::Relaxed);
    handle(libc::SIGPROF, on_tick);
    let microseconds = (tick_s * 1e6) as i64;
    let each =
        libc::timeval { tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000 };
    let timer = libc::itimerval { it_interval: each, it_value: each };
    // SAFETY: the timer is valid for reads; its signal has a handler.
    unsafe { libc::setitimer(libc::ITIMER_PROF, &timer, ptr::null_mut()) };
}

extern "C" fn on_tick(_: c_int, _: *mut libc::siginfo_t, _: *mut c_void) {
    let steps = coroutines::steps();
    let before = SEEN.swap(steps, Ordering::Relaxed);
    let Some(rank) = coroutines::current().filter(|_| steps == before) else {
        SINCE.store(0, Ordering::Relaxed);
        return;
    };
    let ticks = SINCE.fetch_add(1, Ordering::Relaxed) + 1;
    if ticks >= LIMIT_TICKS.load(Ordering::Relaxed) {
        let limit_s = LIMIT_MS.load(Ordering::Relaxed) as f64 / 1e3;
        die(format_args!(
            "rank {rank} has run for {limit_s} s of CPU time without a call, {LastCall}: an \
             endless loop? To allow more, raise {}",
            EngineOption("loop_limit")
        ));
    }
}
