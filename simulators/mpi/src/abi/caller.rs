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
    /// The machine that is lent to the rank that runs, while none of its calls works on it.
    static LENT: Cell<*mut ()> = const { Cell::new(ptr::null_mut()) };
}

/// Lends a machine to the calls that `run` makes on this thread; [`super::table`] must be of the same
/// types.
#[inline]
pub fn lend<T, O, R>(machine: &mut Machine<T, O>, run: impl FnOnce() -> R) -> R {
    LENT.set(ptr::from_mut(machine).cast());
    let result = run();
    LENT.set(ptr::null_mut());
    result
}

/// The rank that runs, in one of its calls.
pub(super) struct Caller<T, O> {
    pub rank: u32,
    types: PhantomData<(T, O)>,
}

impl<T: Transport, O: Observer> Caller<T, O> {
    /// Works on the machine. The rank cannot be suspended meanwhile, and nobody else reaches the
    /// machine.
    #[inline]
    pub fn with<R>(&self, work: impl FnOnce(&mut Machine<T, O>) -> R) -> R {
        let lent = LENT.replace(ptr::null_mut());
        if lent.is_null() {
            nobody("a call");
        }
        // SAFETY: `lend` holds this machine, of these types, borrowed; while the place is empty nobody
        // else has it.
        let result = work(unsafe { &mut *lent.cast::<Machine<T, O>>() });
        LENT.set(lent);
        result
    }

    /// Works on what is known of the rank.
    #[inline]
    pub fn state<R>(&self, work: impl FnOnce(&mut Rank) -> R) -> R {
        self.with(|machine| work(&mut machine.ranks[self.rank as usize]))
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
        let ahead = self.with(|machine| machine.catch_up(self.rank));
        self.wait(ahead);
    }

    /// Charges the end of a receive.
    #[inline]
    pub fn charge_receive(&self) {
        self.with(|machine| {
            let overhead = machine.protocol.receive_overhead;
            machine.ranks[self.rank as usize].clock += overhead;
        });
    }

    /// Ends the run: the rank never goes on.
    pub fn fail(&self, what: &str) -> ! {
        self.with(|machine| {
            let call = machine.ranks[self.rank as usize].call_name();
            let text = format!("rank {}: {call}: {what}", self.rank);
            machine.failure.get_or_insert(text);
        });
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
    if LENT.get().is_null() {
        nobody(name);
    }
    let caller = Caller { rank: 0, types: PhantomData };
    let rank = caller.with(|machine: &mut Machine<T, O>| machine.running);
    Caller { rank, ..caller }
}

/// A call that asks for something which is known at once: no test, no wait, no time.
#[inline]
pub(super) fn ask<T: Transport, O: Observer, R>(
    name: &'static str,
    body: impl FnOnce(&Caller<T, O>) -> Result<R, String>,
) -> R {
    let caller = here::<T, O>(name);
    // What the program called is the collective, not what it is made of.
    let called = caller.state(|state| {
        state.call = name;
        state.call_name()
    });
    ranks::note_call(called);
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
        let since = caller.state(|state| {
            state.since = state.clock;
            state.since
        });
        let value = body(caller)?;
        let failed = caller.with(|machine| {
            if O::ACTIVE && machine.failure.is_none() {
                let end = machine.clock(caller.rank);
                machine.observer.call(caller.rank, name, since, end);
            }
            machine.failure.is_some()
        });
        if failed {
            loop {
                ranks::suspend();
            }
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
        caller.state(|state| state.idle = Idle::No);
        body(caller)
    })
}
