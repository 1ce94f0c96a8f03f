//! Puts and gets.

use super::caller::{Caller, act};
use crate::messaging::{Effect, OneSided, Operation, release_later};
use crate::observer::Observer;
use crate::transport::Transport;
use std::ffi::{c_int, c_long, c_void};
use std::ptr;

#[inline]
fn amount(
    other: c_int,
    buffer: *mut c_void,
    size: c_int,
    offset: Option<usize>,
    tag: c_int,
) -> Result<OneSided, String> {
    let Ok(bytes) = u64::try_from(size) else { return Err(format!("size {size} is negative")) };
    Ok(OneSided { buffer: buffer.cast(), bytes, other, offset: offset.map(|o| o as u64), tag })
}

pub(super) extern "C" fn put<T: Transport, O: Observer>(
    dest: c_int,
    size: c_int,
    tag: c_int,
) -> c_long {
    act("MGEN_rdma_put", |c: &Caller<T, O>| {
        let put = amount(dest, ptr::null_mut(), size, None, tag)?;
        c.with(|machine| machine.put(c.rank, &put))
    })
}

pub(super) extern "C" fn get<T: Transport, O: Observer>(
    source: c_int,
    size: c_int,
    tag: c_int,
) -> c_long {
    act("MGEN_rdma_get", |c: &Caller<T, O>| {
        let get = amount(source, ptr::null_mut(), size, None, tag)?;
        c.with(|machine| machine.get(c.rank, &get))
    })
}

pub(super) extern "C" fn poll<T: Transport, O: Observer>(tag: c_int) {
    act("MGEN_rdma_poll", |c: &Caller<T, O>| {
        let suspended = c.with(|machine| machine.poll(c.rank, tag))?;
        c.wait(suspended);
        Ok(())
    });
}

pub(super) extern "C" fn complete<T: Transport, O: Observer>(handle: c_long) {
    act("MGEN_rdma_complete", |c: &Caller<T, O>| {
        let place = c.with(|machine| machine.find_handle(handle, c.rank))?;
        let suspended = c.with(|machine| machine.wait_for_handle(c.rank, place));
        c.wait(suspended);
        // Another thread may have waited for it, too, and ended it.
        if let Ok(place) = c.with(|machine| machine.find_handle(handle, c.rank)) {
            c.with(|machine| machine.finish_handle(place));
        }
        Ok(())
    });
}

pub(super) extern "C" fn expose<T: Transport, O: Observer>(
    memory: *mut c_void,
    bytes: usize,
) -> c_int {
    act("MGEN_rdma_expose", |c: &Caller<T, O>| {
        c.with(|machine| machine.expose(c.rank, memory as usize, bytes as u64));
        Ok(0)
    })
}

pub(super) extern "C" fn put_data<T: Transport, O: Observer>(
    dest: c_int,
    data: *const c_void,
    size: c_int,
    offset: usize,
    tag: c_int,
) -> c_long {
    act("MGEN_rdma_put_data", |c: &Caller<T, O>| {
        let put = amount(dest, data.cast_mut(), size, Some(offset), tag)?;
        c.with(|machine| machine.put(c.rank, &put))
    })
}

pub(super) extern "C" fn get_data<T: Transport, O: Observer>(
    source: c_int,
    data: *mut c_void,
    size: c_int,
    offset: usize,
    tag: c_int,
) -> c_long {
    act("MGEN_rdma_get_data", |c: &Caller<T, O>| {
        let get = amount(source, data, size, Some(offset), tag)?;
        c.with(|machine| machine.get(c.rank, &get))
    })
}

pub(super) extern "C" fn apply<T: Transport, O: Observer>(
    dest: c_int,
    data: *const c_void,
    bytes: usize,
    answer: *mut c_void,
    answer_bytes: usize,
    place: *mut c_void,
    effect: Effect,
    what: *mut c_void,
) -> c_long {
    act("MGEN_rdma_put", |c: &Caller<T, O>| {
        let operation = Operation {
            other: dest,
            data: data.cast(),
            bytes: bytes as u64,
            answer: answer as usize,
            answer_bytes: answer_bytes as u64,
            place: place as usize,
            effect,
            what: what as usize,
        };
        c.with(|machine| machine.begin_operation(c.rank, &operation))
    })
}

pub(super) extern "C" fn release(number: c_int) {
    release_later(number as u32);
}
