//! Reports the signals of a program that crashes.

#![expect(unsafe_code, reason = "handlers of signals")]

use super::report::{LastCall, Notes, die};
use crate::coroutines;
use crate::names::EngineOption;
use std::os::raw::{c_int, c_void};
use std::ptr;

const SIGNALS: [(c_int, &str); 6] = [
    (libc::SIGSEGV, "segmentation fault, SIGSEGV"),
    (libc::SIGBUS, "bus error, SIGBUS"),
    (libc::SIGFPE, "arithmetic error such as a division by zero, SIGFPE"),
    (libc::SIGILL, "illegal instruction, SIGILL"),
    (libc::SIGABRT, "abort() was called or the C library found an error, SIGABRT"),
    (libc::SIGTRAP, "trap, SIGTRAP"),
];

/// Stack of the handlers: the rank may have used up its own.
const STACK_BYTES: usize = 64 << 10;
/// The least page of a processor: one guards the stack of a thread.
const GUARD_BYTES: usize = 4 << 10;

/// Calls `handler` on a stack of its own when `signal` arrives.
pub(crate) fn handle(
    signal: c_int,
    handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void),
) {
    // SAFETY: all zero is a valid sigaction; the handler has the type that SA_SIGINFO asks for.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESTART;
        libc::sigaction(signal, &action, ptr::null_mut());
    }
}

pub(super) fn install() {
    let stack = Box::leak(vec![0_u8; STACK_BYTES].into_boxed_slice());
    let stack =
        libc::stack_t { ss_sp: stack.as_mut_ptr().cast(), ss_flags: 0, ss_size: STACK_BYTES };
    // SAFETY: the memory is never freed.
    unsafe { libc::sigaltstack(&stack, ptr::null_mut()) };
    for (signal, _) in SIGNALS {
        handle(signal, on_crash);
    }
}

extern "C" fn on_crash(signal: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
    let name = SIGNALS.iter().find(|(number, _)| *number == signal).map_or("", |(_, name)| name);
    let faults = matches!(signal, libc::SIGSEGV | libc::SIGBUS);
    // SAFETY: the kernel gives a valid siginfo, and the address belongs to these two signals.
    let address = if faults { unsafe { (*info).si_addr() as usize } } else { 0 };
    if faults {
        let running = coroutines::running().filter(|_| coroutines::guards(address, GUARD_BYTES));
        if let Some(thread) = running {
            die(format_args!(
                "{thread}: stack overflow, {LastCall}; give the thread a larger stack with \
                 pthread_attr_setstacksize, or put large arrays on the heap"
            ));
        }
        if let Some(rank) = coroutines::guard_at(address) {
            die(format_args!(
                "rank {rank}: stack overflow, {LastCall}; make {} larger, or put large arrays on the heap",
                EngineOption("stack")
            ));
        }
    }
    match coroutines::running() {
        Some(rank) if faults => {
            die(format_args!("{rank}: {name} at address {address:#x}, {LastCall}{Notes}"))
        }
        Some(rank) => die(format_args!("{rank}: {name}, {LastCall}{Notes}")),
        None => die(format_args!(
            "{name} at address {address:#x} while no rank ran: a buffer that the program passed to a \
             call may be freed or too small, or the simulator has a bug"
        )),
    }
}

/// Reports a rank that calls `exit`, which ends all ranks.
pub(super) extern "C" fn on_exit() {
    if let Some(rank) = coroutines::current() {
        die(format_args!(
            "rank {rank} called exit(), {LastCall}; a rank ends by returning from MGEN_Main, and all \
             ranks by MGEN_Abort{Notes}"
        ));
    }
}
