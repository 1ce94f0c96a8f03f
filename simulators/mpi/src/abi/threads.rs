//! Threads of a rank: those of `programs/lib/simulated/threads.c` and its neighbours.

use super::caller::{Caller, act, here, test, wait_in};
use super::local::kept;
use crate::observer::Observer;
use crate::time::from_seconds;
use crate::transport::Transport;
use ranks::Start;
use std::ffi::{c_char, c_double, c_int, c_void};

/// `mgen_thread` of `mgen_host.h`.
pub type Run = unsafe extern "C" fn(*mut c_void);

/// Begins a thread and returns its number, from 1 on. `stack_bytes` may be 0.
pub(super) extern "C" fn begin<T: Transport, O: Observer>(
    run: Run,
    argument: *mut c_void,
    stack_bytes: usize,
) -> c_int {
    ranks::note_thread();
    act("pthread_create", |c: &Caller<T, O>| {
        let start = Start { run, argument, stack_bytes };
        Ok(c.with(|machine| machine.begin_thread(c.rank, start)) as c_int)
    })
}

/// Lets other threads do first what they do before the time of this one.
pub(super) extern "C" fn reach<T: Transport, O: Observer>(call: *const c_char) {
    let call = kept(&here::<T, O>("a thread"), call);
    test(call, |c: &Caller<T, O>| {
        let waits = c.with(|machine| machine.looks_again(c.rank));
        c.wait(waits);
        Ok(())
    });
}

/// Waits until another thread wakes this one at this place, or for so many seconds if they are not
/// negative. Returns whether one did.
pub(super) extern "C" fn wait<T: Transport, O: Observer>(
    call: *const c_char,
    place: *const c_void,
    seconds: c_double,
) -> c_int {
    let call = kept(&here::<T, O>("a thread"), call);
    wait_in(call, |c: &Caller<T, O>| {
        let most = (seconds >= 0.0).then(|| from_seconds(seconds));
        c.with(|machine| machine.wait_for_thread(c.rank, place as usize, most));
        c.wait(true);
        Ok(c.state(|state| c_int::from(state.is_woken)))
    })
}

/// Wakes so many threads at most that wait at this place. Returns the number of the last one, or -1.
pub(super) extern "C" fn wake<T: Transport, O: Observer>(
    place: *const c_void,
    count: c_int,
) -> c_int {
    let c = here::<T, O>("a thread");
    let woken = c.with(|machine| machine.wake_threads(c.rank, place as usize, count as usize));
    woken.map_or(-1, |number| number as c_int)
}

/// Lets others go on.
pub(super) extern "C" fn pass_on<T: Transport, O: Observer>() {
    test("sched_yield", |c: &Caller<T, O>| {
        c.with(|machine| machine.yield_thread(c.rank));
        c.wait(true);
        Ok(())
    });
}

/// A call has found what it finds again if nothing happens.
pub(super) extern "C" fn look<T: Transport, O: Observer>() {
    here::<T, O>("a test").looked();
}

/// The number of the running thread.
pub(super) extern "C" fn number<T: Transport, O: Observer>() -> c_int {
    here::<T, O>("a thread").state(|state| state.number as c_int)
}

/// Ends the running thread, which is not the first of its rank.
pub(super) extern "C" fn end<T: Transport, O: Observer>() {
    here::<T, O>("a thread");
    ranks::leave_thread()
}
