//! Sends, receives and probes.

#![expect(unsafe_code, reason = "pointers of the program")]

use super::caller::{Caller, act, test};
use super::types::{CStatus, bytes_of, put_status};
use crate::messaging::{
    FROM_NOBODY, Idle, Machine, PROC_NULL, Rank, Receive, Send, Status, Waiting,
};
use crate::observer::Observer;
use crate::transport::Transport;
use std::ffi::{c_int, c_void};

type In = *const c_void;
type Out = *mut c_void;

impl<T: Transport, O: Observer> Caller<T, O> {
    #[inline]
    fn sent(
        &self,
        (buffer, count, datatype): (In, c_int, c_int),
        dest: c_int,
        tag: c_int,
        comm: c_int,
    ) -> Result<Send, String> {
        let context = self.with(|machine| machine.communicators.context(comm, self.rank))?;
        let bytes = bytes_of(count, datatype)?;
        let buffer = buffer.cast();
        Ok(Send { buffer, bytes, dest, tag, context, synchronous: false })
    }

    #[inline]
    pub(super) fn received(
        &self,
        (buffer, count, datatype): (Out, c_int, c_int),
        source: c_int,
        tag: c_int,
        comm: c_int,
    ) -> Result<Receive, String> {
        let context = self.with(|machine| machine.communicators.context(comm, self.rank))?;
        let bytes = bytes_of(count, datatype)?;
        Ok(Receive { buffer: buffer.cast(), bytes, source, tag, context })
    }

    /// Waits for a request without a handle.
    fn end(&self, place: u32) -> Status {
        let suspended =
            self.with(|machine| machine.wait_for_all(self.rank, std::iter::once(place)));
        self.wait(suspended);
        self.with(|machine| machine.finish(place))
    }

    /// Charges a receive and hands its status to the program.
    fn end_receive(
        &self,
        source: c_int,
        found: Status,
        status: *mut CStatus,
    ) -> Result<c_int, String> {
        if source != PROC_NULL {
            self.charge_receive();
        }
        // SAFETY: the program passes a place for the status, or NULL.
        unsafe { put_status(status, found) };
        Ok(0)
    }

    /// Begins what the program will wait for by the handle that it gets in `request`.
    #[inline]
    pub(super) fn begin(
        &self,
        request: *mut c_int,
        begin: impl FnOnce(&mut Machine<T, O>) -> Result<c_int, String>,
    ) -> Result<c_int, String> {
        let handle = self.with(begin)?;
        // SAFETY: the program passes a place for the request.
        unsafe { *request = handle };
        Ok(0)
    }

    /// A rank that sends ahead of time would take its processor from messages that arrive before.
    #[inline]
    fn in_time(&self) {
        if self.with(|machine| machine.protocol.has_costs()) {
            self.catch_up();
        }
    }

    fn begin_send(&self, send: &Send, request: *mut c_int) -> Result<c_int, String> {
        self.in_time();
        self.begin(request, |machine| {
            let place = machine.send(self.rank, send, true)?;
            Ok(place.map_or(0, |place| machine.handle(place)))
        })
    }

    fn blocking_send(&self, send: &Send) -> Result<c_int, String> {
        self.in_time();
        if let Some(place) = self.with(|machine| machine.send(self.rank, send, false))? {
            self.end(place);
        }
        Ok(0)
    }

    /// Looks for a message. If none is there, `wait` may suspend the rank and says so; then it looks again.
    pub(super) fn look(
        &self,
        (source, tag, comm): (c_int, c_int, c_int),
        wait: impl FnOnce(&mut Machine<T, O>, u32) -> bool,
    ) -> Result<Option<Status>, String> {
        let context = self.with(|machine| {
            let context = machine.communicators.context(comm, self.rank)?;
            machine.check_source(context, source, tag, self.rank)?;
            Ok::<_, String>(context)
        })?;
        if source == PROC_NULL {
            return Ok(Some(FROM_NOBODY));
        }
        let probe = || self.with(|machine| machine.probe(self.rank, context, source, tag));
        self.catch_up();
        let found = probe();
        if found.is_some() || !self.with(|machine| wait(machine, context)) {
            return Ok(found);
        }
        self.wait(true);
        Ok(probe())
    }
}

pub(super) extern "C" fn send<T: Transport, O: Observer>(
    buffer: In,
    count: c_int,
    datatype: c_int,
    dest: c_int,
    tag: c_int,
    comm: c_int,
) -> c_int {
    act("MGEN_Send", |c: &Caller<T, O>| {
        c.blocking_send(&c.sent((buffer, count, datatype), dest, tag, comm)?)
    })
}

pub(super) extern "C" fn ssend<T: Transport, O: Observer>(
    buffer: In,
    count: c_int,
    datatype: c_int,
    dest: c_int,
    tag: c_int,
    comm: c_int,
) -> c_int {
    act("MGEN_Ssend", |c: &Caller<T, O>| {
        let send = c.sent((buffer, count, datatype), dest, tag, comm)?;
        c.blocking_send(&Send { synchronous: true, ..send })
    })
}

pub(super) extern "C" fn recv<T: Transport, O: Observer>(
    buffer: Out,
    count: c_int,
    datatype: c_int,
    source: c_int,
    tag: c_int,
    comm: c_int,
    status: *mut CStatus,
) -> c_int {
    act("MGEN_Recv", |c: &Caller<T, O>| {
        let receive = c.received((buffer, count, datatype), source, tag, comm)?;
        let place = c.with(|machine| machine.receive(c.rank, &receive))?;
        c.end_receive(source, c.end(place), status)
    })
}

pub(super) extern "C" fn isend<T: Transport, O: Observer>(
    buffer: In,
    count: c_int,
    datatype: c_int,
    dest: c_int,
    tag: c_int,
    comm: c_int,
    request: *mut c_int,
) -> c_int {
    act("MGEN_Isend", |c: &Caller<T, O>| {
        c.begin_send(&c.sent((buffer, count, datatype), dest, tag, comm)?, request)
    })
}

pub(super) extern "C" fn issend<T: Transport, O: Observer>(
    buffer: In,
    count: c_int,
    datatype: c_int,
    dest: c_int,
    tag: c_int,
    comm: c_int,
    request: *mut c_int,
) -> c_int {
    act("MGEN_Issend", |c: &Caller<T, O>| {
        let send = c.sent((buffer, count, datatype), dest, tag, comm)?;
        c.begin_send(&Send { synchronous: true, ..send }, request)
    })
}

pub(super) extern "C" fn irecv<T: Transport, O: Observer>(
    buffer: Out,
    count: c_int,
    datatype: c_int,
    source: c_int,
    tag: c_int,
    comm: c_int,
    request: *mut c_int,
) -> c_int {
    act("MGEN_Irecv", |c: &Caller<T, O>| {
        let receive = c.received((buffer, count, datatype), source, tag, comm)?;
        c.begin(request, |machine| {
            let place = machine.receive(c.rank, &receive)?;
            Ok(machine.handle(place))
        })
    })
}

pub(super) extern "C" fn sendrecv<T: Transport, O: Observer>(
    sent: In,
    sent_count: c_int,
    sent_type: c_int,
    dest: c_int,
    sent_tag: c_int,
    received: Out,
    received_count: c_int,
    received_type: c_int,
    source: c_int,
    received_tag: c_int,
    comm: c_int,
    status: *mut CStatus,
) -> c_int {
    act("MGEN_Sendrecv", |c: &Caller<T, O>| {
        let send = c.sent((sent, sent_count, sent_type), dest, sent_tag, comm)?;
        let receive =
            c.received((received, received_count, received_type), source, received_tag, comm)?;
        c.in_time();
        let (coming, going, suspended) = c.with(|machine| {
            let coming = machine.receive(c.rank, &receive)?;
            let going = machine.send(c.rank, &send, false)?;
            let both = going.into_iter().chain([coming]);
            Ok::<_, String>((coming, going, machine.wait_for_all(c.rank, both)))
        })?;
        c.wait(suspended);
        let found = c.with(|machine| {
            if let Some(place) = going {
                machine.finish(place);
            }
            machine.finish(coming)
        });
        c.end_receive(source, found, status)
    })
}

pub(super) extern "C" fn probe<T: Transport, O: Observer>(
    source: c_int,
    tag: c_int,
    comm: c_int,
    status: *mut CStatus,
) -> c_int {
    act("MGEN_Probe", |c: &Caller<T, O>| {
        let wait = |machine: &mut Machine<T, O>, context| {
            machine.suspend(c.rank, Waiting::Probe { context, source, tag });
            true
        };
        let found = loop {
            // Another thread may have received the message meanwhile.
            if let Some(found) = c.look((source, tag, comm), wait)? {
                break found;
            }
        };
        // SAFETY: the program passes a place for the status, or NULL.
        unsafe { put_status(status, found) };
        Ok(0)
    })
}

pub(super) extern "C" fn iprobe<T: Transport, O: Observer>(
    source: c_int,
    tag: c_int,
    comm: c_int,
    found: *mut c_int,
    status: *mut CStatus,
) -> c_int {
    test("MGEN_Iprobe", |c: &Caller<T, O>| {
        let seen = c.look((source, tag, comm), |machine, context| {
            machine.failed_test(c.rank, Idle::Probe { context, source, tag })
        })?;
        // SAFETY: the program passes a place for the answer.
        unsafe { *found = c_int::from(seen.is_some()) };
        if let Some(seen) = seen {
            c.state(Rank::end_row);
            c.looked();
            // SAFETY: the program passes a place for the status, or NULL.
            unsafe { put_status(status, seen) };
        }
        Ok(0)
    })
}
