//! Endless loops: a timer of CPU time sees that the running rank neither calls nor ends. The hot path
//! counts its steps and knows of nothing else.

#![expect(unsafe_code, reason = "handlers of signals")]

use super::crash::handle;
use super::report::{LastCall, die};
use crate::coroutines;
use std::os::raw::{c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

/// Looks within the limit.
const LOOKS: f64 = 10.0;

static SEEN: AtomicU64 = AtomicU64::new(u64::MAX);
static SINCE: AtomicU64 = AtomicU64::new(0);
static LIMIT_LOOKS: AtomicU64 = AtomicU64::new(0);
static LIMIT_MS: AtomicU64 = AtomicU64::new(0);

/// Begins to look; a rank may run so long without a call.
pub(super) fn install(limit_s: f64) {
    let look_s = (limit_s / LOOKS).clamp(0.01, 1.0);
    LIMIT_LOOKS.store((limit_s / look_s).ceil() as u64, Ordering::Relaxed);
    LIMIT_MS.store((limit_s * 1e3) as u64, Ordering::Relaxed);
    handle(libc::SIGPROF, on_look);
    let microseconds = (look_s * 1e6) as i64;
    let each =
        libc::timeval { tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000 };
    let timer = libc::itimerval { it_interval: each, it_value: each };
    // SAFETY: the timer is valid for reads; its signal has a handler.
    unsafe { libc::setitimer(libc::ITIMER_PROF, &timer, ptr::null_mut()) };
}

extern "C" fn on_look(_: c_int, _: *mut libc::siginfo_t, _: *mut c_void) {
    let steps = coroutines::steps();
    let before = SEEN.swap(steps, Ordering::Relaxed);
    let Some(rank) = coroutines::current().filter(|_| steps == before) else {
        SINCE.store(0, Ordering::Relaxed);
        return;
    };
    let looks = SINCE.fetch_add(1, Ordering::Relaxed) + 1;
    if looks >= LIMIT_LOOKS.load(Ordering::Relaxed) {
        let limit_s = LIMIT_MS.load(Ordering::Relaxed) as f64 / 1e3;
        die(format_args!(
            "rank {rank} has run for {limit_s} s of CPU time without a call, {LastCall}: an endless \
             loop? engine.rdma.loop_limit allows more"
        ));
    }
}
