//! The rank that makes a call.

#![expect(unsafe_code, reason = "pointers of the program")]

use crate::messaging::{Library, Machine, Rank};
use crate::observer::{Call, Observer};
use crate::time::Time;
use crate::transport::Transport;
use ranks::die;
use std::cell::Cell;
use std::marker::PhantomData;
use std::ptr;

thread_local! {
    /// The machine that the running rank may use; null while one of its calls works on it.
    static LENT: Cell<*mut ()> = const { Cell::new(ptr::null_mut()) };
}

/// Lends a machine to the calls that are made on this thread while `run` runs. The calls must be those
/// of [`super::table`] for the same types.
#[inline]
pub fn lend<T, O, R>(machine: &mut Machine<T, O>, run: impl FnOnce() -> R) -> R {
    LENT.set(ptr::from_mut(machine).cast());
    let result = run();
    LENT.set(ptr::null_mut());
    result
}

/// The running rank, in one of its calls.
pub(super) struct Caller<T, O> {
    pub rank: u32,
    types: PhantomData<(T, O)>,
}

impl<T: Transport, O: Observer> Caller<T, O> {
    /// Works on the machine. `work` must not suspend the rank, and no other call can use the machine
    /// meanwhile.
    #[inline]
    pub fn with<R>(&self, work: impl FnOnce(&mut Machine<T, O>) -> R) -> R {
        let lent = LENT.replace(ptr::null_mut());
        if lent.is_null() {
            no_rank("a call");
        }
        // SAFETY: `lend` has borrowed this machine, of these types. While `LENT` is null, no other code
        // uses it.
        let result = work(unsafe { &mut *lent.cast::<Machine<T, O>>() });
        LENT.set(lent);
        result
    }

    /// Works on the state of the rank.
    #[inline]
    pub fn state<R>(&self, work: impl FnOnce(&mut Rank) -> R) -> R {
        self.with(|machine| work(&mut machine.ranks[self.rank as usize]))
    }

    /// Suspends the rank if the machine has said so.
    #[inline]
    pub fn wait(&self, suspended: bool) {
        if suspended {
            ranks::suspend();
        }
    }

    /// Waits until the simulated time has reached the rank's clock.
    pub fn catch_up(&self) {
        let ahead = self.with(|machine| machine.catch_up(self.rank));
        self.wait(ahead);
    }

    /// Lets the other threads of the rank, if it has any, do first what they do before.
    #[inline]
    pub fn meet(&self) {
        if self.state(|state| state.meets_others()) {
            self.catch_up();
        }
    }

    /// The call has found what it finds again if nothing happens. A rank that makes nothing but such calls
    /// waits for what others do, so at last they let time pass.
    #[inline]
    pub fn looked(&self) {
        let waits = self.with(|machine| machine.looks_in_vain(self.rank));
        self.wait(waits);
    }

    /// Charges the overhead at the end of a receive.
    #[inline]
    pub fn charge_receive(&self) {
        self.with(|machine| {
            let overhead = machine.protocol.receive_overhead;
            machine.ranks[self.rank as usize].clock += overhead;
        });
    }

    /// Reports the end of a call that began at `since`. If the run has failed, the rank never goes on.
    #[inline]
    fn finish_call(&self, name: &'static str, since: Time) {
        let failed = self.with(|machine| {
            if O::ACTIVE && machine.failure.is_none() {
                let state = &machine.ranks[self.rank as usize];
                let call = Call {
                    rank: self.rank,
                    thread: state.number,
                    name,
                    start: since,
                    end: state.clock,
                    waited: state.waited - state.waited_before,
                    is_inner: !state.collective.is_empty(),
                };
                machine.observer.call(&call);
            }
            machine.failure.is_some()
        });
        if failed {
            loop {
                ranks::suspend();
            }
        }
    }

    /// Charges what the rank has computed before a call of its program; a call that a collective makes
    /// is none.
    #[inline]
    pub fn computed(&self, name: &'static str) {
        let charged = self.with(|machine| {
            if !machine.computing.is_charged() || machine.is_inside(self.rank) {
                return Ok(());
            }
            let computed = machine.computing.end(self.rank, machine.thread(self.rank), name)?;
            machine.ranks[self.rank as usize].clock += computed;
            Ok(())
        });
        if let Err(text) = charged {
            let text: String = text;
            self.state(|state| state.call = name);
            self.fail(&text);
        }
    }

    /// A call of the program has ended: its rank computes from now on.
    #[inline]
    pub fn computes(&self) {
        self.with(|machine| {
            if machine.is_inside(self.rank) {
                return;
            }
            ranks::note_return();
            if machine.computing.is_charged() {
                machine.computing.begin(self.rank);
            }
        });
    }

    /// Ends the run if MPI is not open to the rank and the call needs it.
    #[cold]
    pub fn refuse_closed(&self, name: &'static str) {
        let library = self.state(|state| {
            state.call = name;
            state.library
        });
        closed(library, name).unwrap_or_else(|why| self.fail(&why));
    }

    /// Ends the run with an error. The rank never goes on.
    pub fn fail(&self, what: &str) -> ! {
        self.with(|machine| {
            let call = machine.ranks[self.rank as usize].call_name();
            let text = format!("{}: {call}: {what}", machine.in_place(self.rank));
            machine.failure.get_or_insert(text);
        });
        loop {
            ranks::suspend();
        }
    }
}

/// Ends the process: no rank runs, so no rank can fail.
#[cold]
fn no_rank(name: &str) -> ! {
    // SAFETY: two system calls without memory.
    let first = unsafe { libc::gettid() == libc::getpid() };
    if first {
        die(format_args!(
            "{name} was called while no rank ran; only a rank may call it, in MGEN_Main"
        ));
    }
    die(format_args!("{name} was called from another thread; only the rank's own may call it"));
}

/// The running rank, in a call of this name.
#[inline]
pub(super) fn here<T: Transport, O: Observer>(name: &str) -> Caller<T, O> {
    if LENT.get().is_null() {
        no_rank(name);
    }
    let caller = Caller { rank: 0, types: PhantomData };
    let rank = caller.with(|machine: &mut Machine<T, O>| machine.running);
    Caller { rank, ..caller }
}

/// What a call means for the rank, beside what it returns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It is answered at once: it neither tests nor waits, and takes no time.
    Ask,
    /// It tests or probes.
    Test,
    /// It acts, and so ends a row of tests without success.
    Act,
    /// It waits, if others have not come so far. It comes within another call, before which the rank has
    /// computed.
    Wait,
}

/// A call that is answered at once.
#[inline]
pub(super) fn ask<T: Transport, O: Observer, R>(
    name: &'static str,
    body: impl FnOnce(&Caller<T, O>) -> Result<R, String>,
) -> R {
    call(name, Kind::Ask, body)
}

/// A call that tests or probes.
#[inline]
pub(super) fn test<T: Transport, O: Observer, R>(
    name: &'static str,
    body: impl FnOnce(&Caller<T, O>) -> Result<R, String>,
) -> R {
    call(name, Kind::Test, body)
}

/// A call that acts.
#[inline]
pub(super) fn act<T: Transport, O: Observer, R>(
    name: &'static str,
    body: impl FnOnce(&Caller<T, O>) -> Result<R, String>,
) -> R {
    call(name, Kind::Act, body)
}

/// A wait for another thread of the rank.
#[inline]
pub(super) fn wait_in<T: Transport, O: Observer, R>(
    name: &'static str,
    body: impl FnOnce(&Caller<T, O>) -> Result<R, String>,
) -> R {
    call(name, Kind::Wait, body)
}

/// Calls that a plain MPI program may make before `MPI_Init` and after `MPI_Finalize`; others of this
/// kind are those of threads.
const AT_ANY_TIME: [&str; 6] =
    ["MGEN_Abort", "MGEN_Comp", "MGEN_Copy", "MGEN_Device_comp", "MGEN_Sample", "MGEN_Wtime"];

/// Why a rank must not make this call now.
#[cold]
fn closed(library: Library, name: &str) -> Result<(), String> {
    let is_of_mpi = name.starts_with("MGEN_") || name.starts_with("MPI_");
    match library {
        Library::Open => Ok(()),
        _ if !is_of_mpi || AT_ANY_TIME.contains(&name) => Ok(()),
        Library::BeforeInit => Err("it is called before MPI_Init".into()),
        Library::AfterFinalize => Err("it is called after MPI_Finalize".into()),
    }
}

#[inline]
fn call<T: Transport, O: Observer, R>(
    name: &'static str,
    kind: Kind,
    body: impl FnOnce(&Caller<T, O>) -> Result<R, String>,
) -> R {
    let caller = here::<T, O>(name);
    if kind != Kind::Wait {
        caller.computed(name);
    }
    let (called, now, since, meets) = caller.state(|state| {
        state.call = name;
        if kind != Kind::Ask {
            (state.since, state.waited_before) = (state.clock, state.waited);
        }
        if kind == Kind::Act || kind == Kind::Wait {
            state.acts();
        }
        // Within a collective, the program called the collective, not the calls that it is made of.
        let meets = kind != Kind::Ask && state.meets_others();
        (state.call_name(), state.clock, state.since, meets)
    });
    ranks::note_call(called, now);
    let library = caller.state(|state| state.library);
    if library != Library::Open {
        caller.refuse_closed(name);
    }
    if meets {
        caller.catch_up();
    }
    match body(&caller) {
        Ok(value) => {
            if kind != Kind::Ask {
                caller.finish_call(name, since);
            }
            caller.computes();
            value
        }
        Err(text) => caller.fail(&text),
    }
}
