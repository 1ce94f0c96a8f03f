//! Calls that concern one rank: time, samples, and those that collectives make.

#![expect(unsafe_code, reason = "pointers of the program")]

use super::caller::{Caller, act, ask, here};
use crate::messaging::Library;
use crate::observer::{Call, Observer};
use crate::time::{NEVER, Time, from_seconds, to_seconds};
use crate::transport::Transport;
use std::ffi::{CStr, c_char, c_double, c_int, c_long, c_void};

/// How often a rank may ask for the time before that takes time: a loop of a program waits like that.
const FREE: u32 = 1_000;
/// The same for a rank that has waited so before: what its loop computes, the simulator computes, too. It is
/// 960 less, so that a loop that asks two, three, four, five, six or eight times in a pass begins to wait at the
/// same place of a pass.
const FREE_AGAIN: u32 = 40;
/// How long each further call takes: 25 ns, about what it takes a processor, or this part of the wait so
/// far, so that long waits take few calls.
const STEP: Time = 25_000;
const PART: Time = 1_000_000;
/// 10^6 s.
const LONGEST: Time = 1_000_000_000_000_000_000;

fn text(from: *const c_char) -> String {
    if from.is_null() {
        return String::new();
    }
    // SAFETY: the program passes a C string.
    unsafe { CStr::from_ptr(from) }.to_string_lossy().into_owned()
}

pub(super) extern "C" fn algorithm<T: Transport, O: Observer>(
    name: *const c_char,
) -> *const c_char {
    let caller = here::<T, O>("a collective");
    if name.is_null() {
        return c"".as_ptr();
    }
    // SAFETY: the library passes a C string.
    let wanted = unsafe { CStr::from_ptr(name) }.to_bytes();
    caller.with(|machine| {
        let mut list = machine.algorithms.iter();
        let found = list.find(|(collective, _)| collective.as_bytes() == wanted);
        found.map_or(c"".as_ptr(), |(_, chosen)| chosen.as_ptr())
    })
}

pub(super) extern "C" fn chosen<T: Transport, O: Observer>(
    collective: *const c_char,
    algorithm: *const c_char,
    bytes: usize,
    ranks: c_int,
) {
    let caller = here::<T, O>("a collective");
    let (collective, algorithm) = (kept(&caller, collective), kept(&caller, algorithm));
    caller.with(|machine| machine.notes.chosen.add(collective, algorithm, bytes as u64, ranks));
}

pub(super) extern "C" fn note<T: Transport, O: Observer>(what: *const c_char) {
    let caller = here::<T, O>("a note");
    let what = kept(&caller, what);
    ranks::keep_note(what);
    caller.with(|machine| machine.notes.say(what));
}

/// Keeps a name for as long as the process runs.
pub(super) fn kept<T: Transport, O: Observer>(
    caller: &Caller<T, O>,
    name: *const c_char,
) -> &'static str {
    // SAFETY: the library passes a C string.
    let wanted = unsafe { CStr::from_ptr(name) }.to_bytes();
    caller.with(|machine| {
        if let Some(found) = machine.names.iter().find(|known| known.as_bytes() == wanted) {
            return *found;
        }
        let name: &'static str = String::from_utf8_lossy(wanted).into_owned().leak();
        machine.names.push(name);
        name
    })
}

pub(super) extern "C" fn enter<T: Transport, O: Observer>(
    name: *const c_char,
    comm: c_int,
    root: c_int,
) {
    let caller = here::<T, O>("a collective");
    let name = kept(&caller, name);
    act(name, |c: &Caller<T, O>| {
        c.with(|machine| {
            let comm = machine.communicators.find(comm, c.rank)?;
            let state = &mut machine.ranks[c.rank as usize];
            state.enter_collective(name);
            let agreement = &mut machine.agreement;
            agreement.enter(&machine.communicators, comm, c.rank, name, root)
        })
    });
}

/// Names a call that is made of others and is no collective. Only those others act.
pub(super) extern "C" fn label<T: Transport, O: Observer>(name: *const c_char) {
    let caller = here::<T, O>("a call");
    let name = kept(&caller, name);
    ask(name, |c: &Caller<T, O>| {
        c.meet();
        c.state(|state| state.enter_collective(name));
        Ok(())
    });
}

/// A call that works without the machine: the rank must not make every one of them at any time.
pub(super) extern "C" fn called<T: Transport, O: Observer>(name: *const c_char) {
    let caller = here::<T, O>("a call");
    if caller.state(|state| state.library) != Library::Open {
        let name = kept(&caller, name);
        caller.refuse_closed(name);
    }
}

pub(super) extern "C" fn own<T: Transport, O: Observer>() -> *mut c_void {
    here::<T, O>("a call").state(|state| state.own.as_mut_ptr().cast())
}

pub(super) extern "C" fn copied<T: Transport, O: Observer>(bytes: usize) {
    here::<T, O>("a call").with(|machine| {
        let time = machine.protocol.copy(bytes as u64);
        let rank = machine.running as usize;
        machine.ranks[rank].clock += time;
    });
}

pub(super) extern "C" fn node<T: Transport, O: Observer>(rank: c_int) -> c_int {
    here::<T, O>("a call").with(|machine| {
        let first = machine.communicators.first_of(machine.running);
        let own = rank < 0;
        machine.node_of(if own { machine.running } else { first.saturating_add(rank as u32) })
            as c_int
    })
}

pub(super) extern "C" fn leave<T: Transport, O: Observer>() {
    let caller = here::<T, O>("a collective");
    let name = caller.with(|machine| {
        let state = &mut machine.ranks[caller.rank as usize];
        let name = std::mem::take(&mut state.collective);
        state.call = name;
        if O::ACTIVE {
            let call = Call {
                rank: caller.rank,
                thread: state.number,
                name,
                start: state.collective_since,
                end: state.clock,
                waited: state.waited - state.collective_waited_before,
                is_inner: false,
            };
            machine.observer.call(&call);
        }
        name
    });
    ranks::note_call(name, caller.state(|state| state.clock));
    caller.computes();
}

/// The program has called `MPI_Init` or `MPI_Finalize`: what it computes counts from there, or no more.
pub(super) extern "C" fn counts<T: Transport, O: Observer>(counts: c_int) {
    let caller = here::<T, O>("a call");
    if counts != 0 {
        return caller.with(|machine| {
            machine.ranks[caller.rank as usize].library = Library::Open;
            machine.computing.counts(caller.rank, true);
            machine.computing.begin(caller.rank);
        });
    }
    caller.computed("MPI_Finalize");
    caller.with(|machine| {
        let state = &mut machine.ranks[caller.rank as usize];
        (state.library, state.call) = (Library::AfterFinalize, "MPI_Finalize");
        machine.computing.counts(caller.rank, false);
    });
}

/// A sampled loop begins its next pass, or ends. Returns 1 if the body of the pass is left out.
pub(super) extern "C" fn pass<T: Transport, O: Observer>(
    place: *const c_char,
    passes: c_long,
    goes_on: c_int,
) -> c_int {
    let caller = here::<T, O>("a sampled loop");
    // A copy of the source compiles in a folder of its own.
    let name = || text(place).trim_start_matches("../").to_string();
    let skips = caller.with(|machine| {
        machine.computing.pass(caller.rank, (place as usize, name), passes, goes_on != 0)
    });
    match skips {
        Ok(skips) => c_int::from(skips),
        Err(why) => {
            caller.state(|state| state.call = "MGEN_SAMPLED_FOR");
            caller.fail(&format!("the loop at {} {why}", name()))
        }
    }
}

pub(super) extern "C" fn fail<T: Transport, O: Observer>(what: *const c_char) {
    here::<T, O>("a collective").fail(&text(what));
}

pub(super) extern "C" fn sample<T: Transport, O: Observer>(
    metric: *const c_char,
    seconds: c_double,
) {
    ask("MGEN_Sample", |c: &Caller<T, O>| {
        c.with(|machine| {
            let job = machine.jobs.number_of(c.rank);
            machine.samples.add(job, &text(metric), seconds)
        })
    });
}

pub(super) extern "C" fn wtime<T: Transport, O: Observer>() -> c_double {
    ask("MGEN_Wtime", |c: &Caller<T, O>| {
        let clock = c.state(|state| {
            state.row_is_timed = state.row_since != NEVER;
            if state.asked_at != state.clock {
                (state.asked_at, state.asked, state.asked_since) = (state.clock, 0, state.clock);
            }
            state.asked += 1;
            let free = if state.waits_by_clock { FREE_AGAIN } else { FREE };
            if state.asked > free {
                state.waits_by_clock = true;
                state.clock += ((state.clock - state.asked_since) / PART).max(STEP);
                state.asked_at = state.clock;
            }
            state.clock
        });
        match clock - c.state(|state| state.asked_since) < LONGEST {
            true => Ok(to_seconds(clock)),
            false => {
                Err("asked for the time in a loop, for more than 1e6 s of simulated time".into())
            }
        }
    })
}

pub(super) extern "C" fn comp<T: Transport, O: Observer>(seconds: c_double) {
    act("MGEN_Comp", |c: &Caller<T, O>| {
        let computed = computing(seconds)?;
        c.state(|state| state.clock += computed);
        Ok(())
    });
}

/// A request that is complete when the rank's device has computed for so long.
pub(super) extern "C" fn timer<T: Transport, O: Observer>(seconds: c_double, request: *mut c_int) {
    act("MGEN_Device_comp", |c: &Caller<T, O>| {
        let computed = computing(seconds)?;
        c.begin(request, |machine| {
            let at = machine.clock(c.rank) + computed;
            let place = machine.timer(c.rank, at)?;
            Ok(machine.handle(place))
        })
    });
}

/// The time of computing for so long.
fn computing(seconds: f64) -> Result<Time, String> {
    // Beyond this, sums of times could overflow.
    match (0.0..1e6).contains(&seconds) {
        true => Ok(from_seconds(seconds)),
        false => Err(format!("cannot compute for {seconds} s, must be at least 0 and below 1e6 s")),
    }
}

/// The time of a copy, which the program makes itself.
pub(super) extern "C" fn copy<T: Transport, O: Observer>(bytes: usize) {
    act("MGEN_Copy", |c: &Caller<T, O>| {
        let copy = c.with(|machine| machine.protocol.copying(bytes as u64));
        c.state(|state| state.clock += copy);
        Ok(())
    });
}

pub(super) extern "C" fn quit<T: Transport, O: Observer>(code: c_int) {
    here::<T, O>("exit");
    ranks::end(code)
}

pub(super) extern "C" fn abort<T: Transport, O: Observer>(_comm: c_int, code: c_int) -> c_int {
    ask("MGEN_Abort", |_: &Caller<T, O>| Err(format!("the program ended itself with code {code}")))
}
