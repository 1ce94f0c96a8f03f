//! Waits for requests, and tests them.

#![expect(unsafe_code, reason = "pointers of the program")]

use super::caller::{Caller, act, ask, test as testing};
use super::types::{CStatus, put_status, size_of};
use crate::messaging::{EMPTY, Idle, Rank};
use crate::observer::Observer;
use crate::transport::Transport;
use std::ffi::c_int;

const UNDEFINED: c_int = -32766;

/// The program's list of requests.
///
/// # Safety
/// `requests` points to `count` requests, or `count` is 0.
unsafe fn list<'a>(count: c_int, requests: *mut c_int) -> Result<&'a mut [c_int], String> {
    match usize::try_from(count) {
        Ok(0) => Ok(&mut []),
        // SAFETY: the caller guarantees it.
        Ok(count) => Ok(unsafe { std::slice::from_raw_parts_mut(requests, count) }),
        Err(_) => Err(format!("count {count} is negative")),
    }
}

impl<T: Transport, O: Observer> Caller<T, O> {
    /// The requests of these handles; `MGEN_REQUEST_NULL` is left out.
    fn places(&self, handles: &[c_int]) -> Result<Vec<u32>, String> {
        let named = handles.iter().filter(|&&handle| handle != 0);
        self.with(|machine| named.map(|&handle| machine.find_request(handle, self.rank)).collect())
    }

    /// Ends complete requests, and charges the receives among them.
    fn end_all(&self, handles: &mut [c_int], statuses: *mut CStatus) -> Result<(), String> {
        for (at, handle) in handles.iter_mut().enumerate() {
            let mut status = EMPTY;
            if *handle != 0 {
                let place = self.with(|machine| machine.find_request(*handle, self.rank))?;
                if self.with(|machine| machine.has_received(place)) {
                    self.charge_receive();
                }
                status = self.with(|machine| machine.finish(place));
                *handle = 0;
            }
            if !statuses.is_null() {
                // SAFETY: the program passes as many statuses as requests, or NULL.
                unsafe { put_status(statuses.add(at), status) };
            }
        }
        Ok(())
    }

    fn wait_all(&self, handles: &mut [c_int], statuses: *mut CStatus) -> Result<c_int, String> {
        let (named, rank) = (handles.iter().filter(|&&handle| handle != 0), self.rank);
        let suspended = self.with(|machine| {
            for &handle in named.clone() {
                machine.find_request(handle, rank)?;
            }
            let places = named.map(|&handle| crate::messaging::place(handle).0);
            Ok::<_, String>(machine.wait_for_all(rank, places))
        })?;
        self.wait(suspended);
        self.end_all(handles, statuses)?;
        Ok(0)
    }

    /// Whether all requests are complete now.
    fn tests(&self, places: &[u32]) -> bool {
        let pending = || {
            self.with(|machine| {
                let clock = machine.clock(self.rank);
                places.iter().find(|&&place| !machine.is_complete(place, clock)).copied()
            })
        };
        if pending().is_none() {
            return true;
        }
        self.catch_up();
        let Some(first) = pending() else { return true };
        if self.with(|machine| machine.failed_test(self.rank, Idle::Test(first))) {
            self.wait(true);
            return pending().is_none();
        }
        false
    }

    fn test_all(
        &self,
        handles: &mut [c_int],
        done: *mut c_int,
        statuses: *mut CStatus,
    ) -> Result<c_int, String> {
        let places = self.places(handles)?;
        let complete = self.tests(&places);
        // SAFETY: the program passes a place for the answer.
        unsafe { *done = c_int::from(complete) };
        if complete {
            if places.is_empty() {
                self.looked();
            } else {
                self.state(Rank::acts);
            }
            self.end_all(handles, statuses)?;
        }
        Ok(0)
    }
}

pub(super) extern "C" fn wait<T: Transport, O: Observer>(
    request: *mut c_int,
    status: *mut CStatus,
) -> c_int {
    // SAFETY: the program passes the place of a request.
    act("MGEN_Wait", |c: &Caller<T, O>| c.wait_all(unsafe { list(1, request) }?, status))
}

pub(super) extern "C" fn waitall<T: Transport, O: Observer>(
    count: c_int,
    requests: *mut c_int,
    statuses: *mut CStatus,
) -> c_int {
    // SAFETY: the program passes as many requests as it says.
    act("MGEN_Waitall", |c: &Caller<T, O>| c.wait_all(unsafe { list(count, requests) }?, statuses))
}

pub(super) extern "C" fn waitany<T: Transport, O: Observer>(
    count: c_int,
    requests: *mut c_int,
    index: *mut c_int,
    status: *mut CStatus,
) -> c_int {
    act("MGEN_Waitany", |c: &Caller<T, O>| {
        // SAFETY: the program passes as many requests as it says.
        let handles = unsafe { list(count, requests) }?;
        let places = c.places(handles)?;
        if places.is_empty() {
            // SAFETY: the program passes places for index and status.
            unsafe {
                *index = UNDEFINED;
                put_status(status, EMPTY);
            }
            return Ok(0);
        }
        let suspended = c.with(|machine| machine.wait_for_any(c.rank, &places));
        c.wait(suspended);
        let found = c.with(|machine| {
            machine.stop_waiting(&places);
            machine.first_complete(c.rank, &places).unwrap_or(0)
        });
        let named = (0..handles.len()).filter(|&at| handles[at] != 0);
        let at = named.into_iter().nth(found).unwrap_or(0);
        c.end_all(&mut handles[at..=at], status)?;
        // SAFETY: the program passes a place for the index.
        unsafe { *index = at as c_int };
        Ok(0)
    })
}

pub(super) extern "C" fn test<T: Transport, O: Observer>(
    request: *mut c_int,
    done: *mut c_int,
    status: *mut CStatus,
) -> c_int {
    // SAFETY: the program passes the place of a request.
    testing("MGEN_Test", |c: &Caller<T, O>| c.test_all(unsafe { list(1, request) }?, done, status))
}

pub(super) extern "C" fn testall<T: Transport, O: Observer>(
    count: c_int,
    requests: *mut c_int,
    done: *mut c_int,
    statuses: *mut CStatus,
) -> c_int {
    testing("MGEN_Testall", |c: &Caller<T, O>| {
        // SAFETY: the program passes as many requests as it says.
        c.test_all(unsafe { list(count, requests) }?, done, statuses)
    })
}

/// Whether a request is complete. If the rank only looks, no time passes.
pub(super) extern "C" fn peek<T: Transport, O: Observer>(
    request: c_int,
    is_polled: c_int,
    status: *mut CStatus,
) -> c_int {
    let look = |c: &Caller<T, O>| {
        let place = c.with(|machine| machine.find_request(request, c.rank))?;
        let complete = match is_polled {
            0 => c.with(|machine| machine.is_complete(place, machine.clock(c.rank))),
            _ => {
                let complete = c.tests(&[place]);
                if complete {
                    c.looked();
                }
                complete
            }
        };
        if complete {
            // SAFETY: the library passes a place for the status, or NULL.
            unsafe { put_status(status, c.with(|machine| machine.status_of(place))) };
        }
        Ok(c_int::from(complete))
    };
    match is_polled {
        0 => ask("MGEN_Request_get_status", look),
        _ => testing("MGEN_Request_get_status", look),
    }
}

/// Waits until one of several requests is complete. Another thread of the rank may have ended one of
/// them, or may do so: then its caller looks again.
pub(super) extern "C" fn wait_for_one<T: Transport, O: Observer>(
    count: c_int,
    requests: *const c_int,
) {
    act("MGEN_Waitany", |c: &Caller<T, O>| {
        // SAFETY: the library passes as many requests as it says.
        let handles = unsafe { list(count, requests.cast_mut()) }?;
        let Ok(places) = c.places(handles) else { return Ok(()) };
        let suspended = c.with(|machine| machine.wait_for_one(c.rank, &places));
        c.wait(suspended);
        c.with(|machine| machine.stop_waiting(&places));
        Ok(())
    });
}

/// Cancels a receive that has no message.
pub(super) extern "C" fn cancel<T: Transport, O: Observer>(request: c_int) {
    ask("MPI_Cancel", |c: &Caller<T, O>| {
        let place = c.with(|machine| machine.find_request(request, c.rank))?;
        c.with(|machine| machine.cancel(place));
        Ok(())
    });
}

pub(super) extern "C" fn get_count<T: Transport, O: Observer>(
    status: *const CStatus,
    datatype: c_int,
    count: *mut c_int,
) -> c_int {
    ask("MGEN_Get_count", |_: &Caller<T, O>| {
        let size = size_of(datatype)? as i64;
        // SAFETY: the program passes a status, and a place for the answer.
        unsafe {
            let bytes = (*status).bytes;
            *count = if bytes % size == 0 { (bytes / size) as c_int } else { UNDEFINED };
        }
        Ok(0)
    })
}
