//! Calls about groups of ranks.
//!
//! `split` and `dup` take no time, but synchronise: every member goes on when the last one has called.

#![expect(unsafe_code, reason = "pointers of the program")]

use super::caller::{Caller, act, ask};
use crate::messaging::{Part, Waiting};
use crate::observer::Observer;
use crate::transport::Transport;
use std::ffi::c_int;

const UNDEFINED: c_int = -32766;

pub(super) extern "C" fn rank<T: Transport, O: Observer>(comm: c_int, to: *mut c_int) -> c_int {
    ask("MGEN_Comm_rank", |c: &Caller<T, O>| {
        let place = c.with(|machine| {
            let comm = machine.communicators.find(comm, c.rank)?;
            Ok::<_, String>(machine.communicators.place_of(comm, c.rank).unwrap_or(0))
        })?;
        // SAFETY: the program passes a place for the answer.
        unsafe { *to = place as c_int };
        Ok(0)
    })
}

pub(super) extern "C" fn size<T: Transport, O: Observer>(comm: c_int, to: *mut c_int) -> c_int {
    ask("MGEN_Comm_size", |c: &Caller<T, O>| {
        let size = c.with(|machine| {
            let comm = machine.communicators.find(comm, c.rank)?;
            Ok::<_, String>(machine.communicators.size(comm))
        })?;
        // SAFETY: the program passes a place for the answer.
        unsafe { *to = size as c_int };
        Ok(0)
    })
}

pub(super) extern "C" fn split<T: Transport, O: Observer>(
    comm: c_int,
    color: c_int,
    key: c_int,
    made: *mut c_int,
) -> c_int {
    act("MGEN_Comm_split", |c: &Caller<T, O>| {
        if color < 0 && color != UNDEFINED {
            return Err(format!("color {color} is below 0 and not MGEN_UNDEFINED"));
        }
        make(c, "MGEN_Comm_split", comm, (color, key), made)
    })
}

pub(super) extern "C" fn dup<T: Transport, O: Observer>(comm: c_int, made: *mut c_int) -> c_int {
    act("MGEN_Comm_dup", |c: &Caller<T, O>| make(c, "MGEN_Comm_dup", comm, (0, 0), made))
}

fn make<T: Transport, O: Observer>(
    c: &Caller<T, O>,
    call: &'static str,
    comm: c_int,
    (color, key): (c_int, c_int),
    made: *mut c_int,
) -> Result<c_int, String> {
    let suspended = c.with(|machine| {
        let comm = machine.communicators.find(comm, c.rank)?;
        let place = machine.communicators.place_of(comm, c.rank).unwrap_or(0);
        let part = Part { color, key, place };
        let results = machine.communicators.split(comm, call, part, c.rank)?;
        match &results {
            Some(results) => machine.go_on(c.rank, comm, results),
            None => machine.suspend(c.rank, Waiting::Members { communicator: comm }),
        }
        Ok::<_, String>(results.is_none())
    })?;
    c.wait(suspended);
    let handle = c.state(|state| state.made);
    // SAFETY: the program passes a place for the communicator.
    unsafe { *made = handle };
    Ok(0)
}

pub(super) extern "C" fn member<T: Transport, O: Observer>(comm: c_int, place: c_int) -> c_int {
    ask("MGEN_Comm_group", |c: &Caller<T, O>| {
        c.with(|machine| {
            let comm = machine.communicators.find(comm, c.rank)?;
            let rank = machine.communicators.rank_at(comm, place, c.rank)?;
            Ok((rank - machine.communicators.first_of(c.rank)) as c_int)
        })
    })
}

pub(super) extern "C" fn join<T: Transport, O: Observer>(
    comm: c_int,
    members: *const c_int,
    count: c_int,
    tag: c_int,
    made: *mut c_int,
) -> c_int {
    act("MGEN_Comm_create_group", |c: &Caller<T, O>| {
        // SAFETY: the library passes as many members as it says.
        let members = unsafe { std::slice::from_raw_parts(members, count as usize) };
        let handle = c.with(|machine| {
            let first = machine.communicators.first_of(c.rank);
            let members = members.iter().map(|&member| first + member as u32).collect();
            let comm = machine.communicators.find(comm, c.rank)?;
            Ok::<_, String>(machine.communicators.join(comm, members, tag))
        })?;
        // SAFETY: the library passes a place for the communicator.
        unsafe { *made = handle };
        Ok(0)
    })
}

pub(super) extern "C" fn link<T: Transport, O: Observer>(own: c_int, other: c_int) {
    ask("MPI_Intercomm_create", |c: &Caller<T, O>| {
        c.with(|machine| {
            let own = machine.communicators.find(own, c.rank)?;
            machine.communicators.link(own, other as u32);
            Ok(0)
        })
    });
}

pub(super) extern "C" fn free<T: Transport, O: Observer>(comm: *mut c_int) -> c_int {
    act("MGEN_Comm_free", |c: &Caller<T, O>| {
        // SAFETY: the program passes the place of its communicator.
        let handle = unsafe { &mut *comm };
        c.with(|machine| {
            let found = machine.communicators.find(*handle, c.rank)?;
            machine.communicators.free(found, c.rank)
        })?;
        *handle = 0;
        Ok(0)
    })
}
