//! Accesses of files, which the library of calls makes. It opens, reads and writes them itself.

use super::caller::{Caller, act, ask};
use crate::files::Files;
use crate::observer::Observer;
use crate::transport::Transport;
use ranks::EngineOption;
use std::ffi::{c_int, c_void};

/// Accesses begin in the order of simulated time, so that all runs see the same files.
pub(super) extern "C" fn storage<T: Transport, O: Observer>() -> c_int {
    act("MGEN_Storage", |c: &Caller<T, O>| {
        if c.with(|machine| machine.storage.files) == Files::Refused {
            let files = EngineOption("files");
            return Err(format!("{files} refuses files; set it to modelled"));
        }
        c.catch_up();
        Ok(c.with(|machine| c_int::from(machine.protocol.delivered)))
    })
}

pub(super) extern "C" fn store<T: Transport, O: Observer>(bytes: usize, request: *mut c_int) {
    act("MGEN_Store", |c: &Caller<T, O>| {
        c.begin(request, |machine| {
            let at = machine.storage.access(machine.clock(c.rank), bytes as u64);
            let place = machine.timer(c.rank, at)?;
            Ok(machine.handle(place))
        })?;
        Ok(())
    });
}

pub(super) extern "C" fn common<T: Transport, O: Observer>(comm: c_int) -> *mut c_void {
    ask("MGEN_Common", |c: &Caller<T, O>| {
        c.with(|machine| {
            let comm = machine.communicators.find(comm, c.rank)?;
            Ok(machine.storage.common(comm).cast())
        })
    })
}
