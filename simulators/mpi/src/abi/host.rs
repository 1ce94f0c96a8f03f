//! The table of functions that a program gets: the twin of `struct mgen_host` in `mgen_host.h`.

use super::types::CStatus;
use super::{communicators, completion, local, one_sided, two_sided};
use crate::observer::Observer;
use crate::transport::Transport;
use std::ffi::{c_char, c_double, c_int, c_long, c_void};
use std::marker::PhantomData;

type In = *const c_void;
type Out = *mut c_void;

/// Same order and types as in C.
#[repr(C)]
#[derive(Clone, Copy)]
#[rustfmt::skip]
pub struct Host {
    pub algorithm: extern "C" fn(*const c_char) -> *const c_char,
    pub enter: extern "C" fn(*const c_char, c_int, c_int),
    pub leave: extern "C" fn(),
    pub fail: extern "C" fn(*const c_char),

    pub sample: extern "C" fn(*const c_char, c_double),
    pub wtime: extern "C" fn() -> c_double,
    pub comp: extern "C" fn(c_double),
    pub abort: extern "C" fn(c_int, c_int) -> c_int,
    pub quit: extern "C" fn(c_int),

    pub comm_rank: extern "C" fn(c_int, *mut c_int) -> c_int,
    pub comm_size: extern "C" fn(c_int, *mut c_int) -> c_int,
    pub comm_split: extern "C" fn(c_int, c_int, c_int, *mut c_int) -> c_int,
    pub comm_dup: extern "C" fn(c_int, *mut c_int) -> c_int,
    pub comm_free: extern "C" fn(*mut c_int) -> c_int,

    pub send: extern "C" fn(In, c_int, c_int, c_int, c_int, c_int) -> c_int,
    pub ssend: extern "C" fn(In, c_int, c_int, c_int, c_int, c_int) -> c_int,
    pub recv: extern "C" fn(Out, c_int, c_int, c_int, c_int, c_int, *mut CStatus) -> c_int,
    pub isend: extern "C" fn(In, c_int, c_int, c_int, c_int, c_int, *mut c_int) -> c_int,
    pub irecv: extern "C" fn(Out, c_int, c_int, c_int, c_int, c_int, *mut c_int) -> c_int,
    pub sendrecv: extern "C" fn(In, c_int, c_int, c_int, c_int, Out, c_int, c_int, c_int, c_int,
                                c_int, *mut CStatus) -> c_int,
    pub wait: extern "C" fn(*mut c_int, *mut CStatus) -> c_int,
    pub waitall: extern "C" fn(c_int, *mut c_int, *mut CStatus) -> c_int,
    pub waitany: extern "C" fn(c_int, *mut c_int, *mut c_int, *mut CStatus) -> c_int,
    pub test: extern "C" fn(*mut c_int, *mut c_int, *mut CStatus) -> c_int,
    pub testall: extern "C" fn(c_int, *mut c_int, *mut c_int, *mut CStatus) -> c_int,
    pub probe: extern "C" fn(c_int, c_int, c_int, *mut CStatus) -> c_int,
    pub iprobe: extern "C" fn(c_int, c_int, c_int, *mut c_int, *mut CStatus) -> c_int,
    pub get_count: extern "C" fn(*const CStatus, c_int, *mut c_int) -> c_int,

    pub rdma_put: extern "C" fn(c_int, c_int, c_int) -> c_long,
    pub rdma_get: extern "C" fn(c_int, c_int, c_int) -> c_long,
    pub rdma_poll: extern "C" fn(c_int),
    pub rdma_complete: extern "C" fn(c_long),
    pub rdma_expose: extern "C" fn(Out, usize) -> c_int,
    pub rdma_put_data: extern "C" fn(c_int, In, c_int, usize, c_int) -> c_long,
    pub rdma_get_data: extern "C" fn(c_int, Out, c_int, usize, c_int) -> c_long,
}

struct Table<T, O>(PhantomData<(T, O)>);

impl<T: Transport, O: Observer> Table<T, O> {
    const HOST: &'static Host = &Host {
        algorithm: local::algorithm::<T, O>,
        enter: local::enter::<T, O>,
        leave: local::leave::<T, O>,
        fail: local::fail::<T, O>,
        sample: local::sample::<T, O>,
        wtime: local::wtime::<T, O>,
        comp: local::comp::<T, O>,
        abort: local::abort::<T, O>,
        quit: local::quit::<T, O>,
        comm_rank: communicators::rank::<T, O>,
        comm_size: communicators::size::<T, O>,
        comm_split: communicators::split::<T, O>,
        comm_dup: communicators::dup::<T, O>,
        comm_free: communicators::free::<T, O>,
        send: two_sided::send::<T, O>,
        ssend: two_sided::ssend::<T, O>,
        recv: two_sided::recv::<T, O>,
        isend: two_sided::isend::<T, O>,
        irecv: two_sided::irecv::<T, O>,
        sendrecv: two_sided::sendrecv::<T, O>,
        wait: completion::wait::<T, O>,
        waitall: completion::waitall::<T, O>,
        waitany: completion::waitany::<T, O>,
        test: completion::test::<T, O>,
        testall: completion::testall::<T, O>,
        probe: two_sided::probe::<T, O>,
        iprobe: two_sided::iprobe::<T, O>,
        get_count: completion::get_count::<T, O>,
        rdma_put: one_sided::put::<T, O>,
        rdma_get: one_sided::get::<T, O>,
        rdma_poll: one_sided::poll::<T, O>,
        rdma_complete: one_sided::complete::<T, O>,
        rdma_expose: one_sided::expose::<T, O>,
        rdma_put_data: one_sided::put_data::<T, O>,
        rdma_get_data: one_sided::get_data::<T, O>,
    };
}

/// The functions for machines of these types, for `mgen_bind`.
pub fn table<T: Transport, O: Observer>() -> &'static Host {
    Table::<T, O>::HOST
}
