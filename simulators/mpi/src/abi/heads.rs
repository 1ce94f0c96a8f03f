//! Receives whose call ends with the head of the message.

use super::caller::{Caller, act};
use crate::observer::Observer;
use crate::transport::Transport;
use std::ffi::{c_int, c_void};

pub(super) extern "C" fn recv_head<T: Transport, O: Observer>(
    buffer: *mut c_void,
    count: c_int,
    datatype: c_int,
    source: c_int,
    tag: c_int,
    comm: c_int,
    request: *mut c_int,
) -> c_int {
    act("MGEN_Recv_head", |c: &Caller<T, O>| {
        let receive = c.received((buffer, count, datatype), source, tag, comm)?;
        // The network is asked at the rank's own time: a head that arrives later is not there yet.
        c.catch_up();
        let (place, suspended) = c.with(|machine| {
            let place = machine.receive_head(c.rank, &receive)?;
            Ok::<_, String>((place, machine.wait_for_head(c.rank, place)))
        })?;
        c.wait(suspended);
        c.begin(request, |machine| {
            machine.wait_for_head(c.rank, place);
            Ok(machine.handle(place))
        })
    })
}
