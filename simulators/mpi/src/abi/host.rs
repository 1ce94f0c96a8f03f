//! The table of functions that a program gets: `struct mgen_host` of `mgen_host.h`.

use super::threads::{self, Run};
use super::types::CStatus;
use super::{communicators, completion, files, heads, local, matched, one_sided, two_sided};
use crate::messaging::Effect;
use crate::observer::Observer;
use crate::transport::Transport;
use std::ffi::{c_char, c_double, c_int, c_long, c_void};
use std::marker::PhantomData;

// `Host`: the same order and types as in C, made by `build.rs` from the header.
include!(concat!(env!("OUT_DIR"), "/host.rs"));

struct Table<T, O>(PhantomData<(T, O)>);

impl<T: Transport, O: Observer> Table<T, O> {
    const HOST: &'static Host = &Host {
        algorithm: local::algorithm::<T, O>,
        chosen: local::chosen::<T, O>,
        note: local::note::<T, O>,
        enter: local::enter::<T, O>,
        leave: local::leave::<T, O>,
        counts: local::counts::<T, O>,
        pass: local::pass::<T, O>,
        fail: local::fail::<T, O>,
        own: local::own::<T, O>,
        label: local::label::<T, O>,
        called: local::called::<T, O>,
        copied: local::copied::<T, O>,
        node: local::node::<T, O>,
        sample: local::sample::<T, O>,
        wtime: local::wtime::<T, O>,
        comp: local::comp::<T, O>,
        copy: local::copy::<T, O>,
        abort: local::abort::<T, O>,
        quit: local::quit::<T, O>,
        look: threads::look::<T, O>,
        thread_begin: threads::begin::<T, O>,
        thread_reach: threads::reach::<T, O>,
        thread_wait: threads::wait::<T, O>,
        thread_wake: threads::wake::<T, O>,
        thread_yield: threads::pass_on::<T, O>,
        thread_number: threads::number::<T, O>,
        thread_end: threads::end::<T, O>,
        comm_rank: communicators::rank::<T, O>,
        comm_size: communicators::size::<T, O>,
        comm_split: communicators::split::<T, O>,
        comm_dup: communicators::dup::<T, O>,
        comm_free: communicators::free::<T, O>,
        comm_member: communicators::member::<T, O>,
        comm_join: communicators::join::<T, O>,
        comm_link: communicators::link::<T, O>,
        send: two_sided::send::<T, O>,
        ssend: two_sided::ssend::<T, O>,
        recv: two_sided::recv::<T, O>,
        isend: two_sided::isend::<T, O>,
        irecv: two_sided::irecv::<T, O>,
        recv_head: heads::recv_head::<T, O>,
        sendrecv: two_sided::sendrecv::<T, O>,
        wait: completion::wait::<T, O>,
        waitall: completion::waitall::<T, O>,
        waitany: completion::waitany::<T, O>,
        test: completion::test::<T, O>,
        testall: completion::testall::<T, O>,
        probe: two_sided::probe::<T, O>,
        iprobe: two_sided::iprobe::<T, O>,
        get_count: completion::get_count::<T, O>,
        issend: two_sided::issend::<T, O>,
        improbe: matched::improbe::<T, O>,
        imrecv: matched::imrecv::<T, O>,
        peek: completion::peek::<T, O>,
        wait_one: completion::wait_for_one::<T, O>,
        cancel: completion::cancel::<T, O>,
        timer: local::timer::<T, O>,
        storage: files::storage::<T, O>,
        store: files::store::<T, O>,
        common: files::common::<T, O>,
        rdma_put: one_sided::put::<T, O>,
        rdma_get: one_sided::get::<T, O>,
        rdma_poll: one_sided::poll::<T, O>,
        rdma_complete: one_sided::complete::<T, O>,
        rdma_expose: one_sided::expose::<T, O>,
        rdma_put_data: one_sided::put_data::<T, O>,
        rdma_get_data: one_sided::get_data::<T, O>,
        apply: one_sided::apply::<T, O>,
        release: one_sided::release,
    };
}

/// The functions for machines of these types, for `mgen_bind`.
pub fn table<T: Transport, O: Observer>() -> &'static Host {
    Table::<T, O>::HOST
}
