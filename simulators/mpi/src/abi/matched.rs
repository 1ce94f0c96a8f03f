//! Probes that take a message out of its queue, and receives of such a message.

#![expect(unsafe_code, reason = "pointers of the program")]

use super::caller::{Caller, act, test};
use super::types::{CStatus, bytes_of, put_status};
use crate::messaging::{Idle, PROC_NULL, Rank};
use crate::observer::Observer;
use crate::transport::Transport;
use std::ffi::{c_int, c_void};

/// `MPI_MESSAGE_NO_PROC`; the handle of a message is its place and one.
const NO_PROC: c_int = -1;

pub(super) extern "C" fn improbe<T: Transport, O: Observer>(
    source: c_int,
    tag: c_int,
    comm: c_int,
    found: *mut c_int,
    message: *mut c_int,
    status: *mut CStatus,
) -> c_int {
    test("MGEN_Improbe", |c: &Caller<T, O>| {
        let seen = c.look((source, tag, comm), |machine, context| {
            machine.failed_test(c.rank, Idle::Probe { context, source, tag })
        })?;
        // SAFETY: the library passes a place for the answer.
        unsafe { *found = c_int::from(seen.is_some()) };
        let Some(seen) = seen else { return Ok(0) };
        let handle = match source {
            PROC_NULL => NO_PROC,
            _ => c.with(|machine| {
                let context = machine.communicators.context(comm, c.rank)?;
                let taken = machine.take(c.rank, context, source, tag);
                Ok::<_, String>(taken.map_or(0, |place| place as c_int + 1))
            })?,
        };
        c.state(Rank::acts);
        // SAFETY: the library passes places for the message and the status, or NULL.
        unsafe {
            *message = handle;
            put_status(status, seen);
        }
        Ok(0)
    })
}

pub(super) extern "C" fn imrecv<T: Transport, O: Observer>(
    buffer: *mut c_void,
    count: c_int,
    datatype: c_int,
    message: *mut c_int,
    request: *mut c_int,
) -> c_int {
    act("MGEN_Imrecv", |c: &Caller<T, O>| {
        let bytes = bytes_of(count, datatype)?;
        // SAFETY: the program passes the place of its message.
        let handle = unsafe { &mut *message };
        let place = (*handle != NO_PROC).then(|| (*handle as u32).wrapping_sub(1));
        c.begin(request, |machine| {
            let place = machine.receive_taken(c.rank, place, (buffer.cast(), bytes))?;
            Ok(machine.handle(place))
        })?;
        *handle = 0;
        Ok(0)
    })
}
