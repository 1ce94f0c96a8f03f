//! A rank in a call.

#![expect(unsafe_code, reason = "pointers of the program")]

use crate::messaging::{Idle, Machine, Rank};
use crate::observer::Observer;
use crate::transport::Transport;
use ranks::die;
use std::cell::Cell;
use std::marker::PhantomData;
use std::ptr;

thread_local! {
    static MACHINE: Cell<*mut ()> = const { Cell::new(ptr::null_mut()) };
}

/// Calls reach the machine until this is dropped.
pub struct Bound<'a>(PhantomData<&'a mut ()>);

/// Lets calls on this thread work on a machine; [`super::table`] must be of the same types.
pub fn bind<'a, T, O>(machine: *mut Machine<T, O>) -> Bound<'a> {
    MACHINE.set(machine.cast());
    Bound(PhantomData)
}

impl Drop for Bound<'_> {
    fn drop(&mut self) {
        MACHINE.set(ptr::null_mut());
    }
}

/// The rank that runs, in one of its calls.
pub(super) struct Caller<T, O> {
    machine: *mut Machine<T, O>,
    pub rank: u32,
}

impl<T: Transport, O: Observer> Caller<T, O> {
    /// The machine, for one statement: no borrow may last while the rank is suspended.
    #[inline]
    #[expect(clippy::mut_from_ref, reason = "the machine is nobody's while a rank runs")]
    pub fn machine(&self) -> &mut Machine<T, O> {
        // SAFETY: `bind` set it, for these types; ranks run one at a time, on its thread.
        unsafe { &mut *self.machine }
    }

    #[inline]
    pub fn state(&self) -> &mut Rank {
        &mut self.machine().ranks[self.rank as usize]
    }

    /// Suspends the rank if the machine said so.
    #[inline]
    pub fn wait(&self, suspended: bool) {
        if suspended {
            ranks::suspend();
        }
    }

    /// Waits until time is where the rank's clock is.
    pub fn catch_up(&self) {
        let ahead = self.machine().catch_up(self.rank);
        self.wait(ahead);
    }

    /// Charges the end of a receive.
    #[inline]
    pub fn charge_receive(&self) {
        self.state().clock += self.machine().protocol.receive_overhead;
    }

    /// Ends the run: the rank never goes on.
    pub fn fail(&self, what: &str) -> ! {
        let text = format!("rank {}: {}: {what}", self.rank, self.state().call_name());
        self.machine().failure.get_or_insert(text);
        loop {
            ranks::suspend();
        }
    }
}

/// Ends the process: there is no rank that could fail.
#[cold]
fn nobody(name: &str) -> ! {
    // SAFETY: neither asks for anything.
    let first = unsafe { libc::gettid() == libc::getpid() };
    if first {
        die(format_args!(
            "{name} was called while no rank ran; only a rank may call, in MGEN_Main"
        ));
    }
    die(format_args!("{name} was called from a thread of its own; only the rank itself may call"));
}

/// The rank that runs, in a call of this name.
#[inline]
pub(super) fn here<T: Transport, O: Observer>(name: &str) -> Caller<T, O> {
    let machine: *mut Machine<T, O> = MACHINE.get().cast();
    if machine.is_null() {
        nobody(name);
    }
    // SAFETY: as in `Caller::machine`.
    let rank = unsafe { (*machine).running };
    Caller { machine, rank }
}

/// A call that asks for something which is known at once: no test, no wait, no time.
#[inline]
pub(super) fn ask<T: Transport, O: Observer, R>(
    name: &'static str,
    body: impl FnOnce(&Caller<T, O>) -> Result<R, String>,
) -> R {
    let caller = here::<T, O>(name);
    let state = caller.state();
    // What the program called is the collective, not what it is made of.
    state.call = name;
    ranks::note_call(state.call_name());
    match body(&caller) {
        Ok(value) => value,
        Err(text) => caller.fail(&text),
    }
}

/// A test or probe.
#[inline]
pub(super) fn test<T: Transport, O: Observer, R>(
    name: &'static str,
    body: impl FnOnce(&Caller<T, O>) -> Result<R, String>,
) -> R {
    ask(name, |caller: &Caller<T, O>| {
        let since = caller.state().clock;
        caller.state().since = since;
        let value = body(caller)?;
        if caller.machine().failure.is_some() {
            loop {
                ranks::suspend();
            }
        }
        if O::ACTIVE {
            let end = caller.state().clock;
            caller.machine().observer.call(caller.rank, name, since, end);
        }
        Ok(value)
    })
}

/// A call that does something.
#[inline]
pub(super) fn act<T: Transport, O: Observer, R>(
    name: &'static str,
    body: impl FnOnce(&Caller<T, O>) -> Result<R, String>,
) -> R {
    test(name, |caller: &Caller<T, O>| {
        caller.state().idle = Idle::No;
        body(caller)
    })
}
