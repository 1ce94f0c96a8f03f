//! Reports system calls that seccomp denies, and lets them fail as if the user lacked the permission.

use crate::watch::handle;
use std::os::raw::{c_int, c_void};
use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers of calls that the log names once each; larger ones share a bit.
static SEEN: [AtomicU64; 8] = [const { AtomicU64::new(0) }; 8];

/// Where a signal's `siginfo` holds the number of the call: after three numbers and an address.
const CALL_AT: usize = 24;

pub(super) fn report() {
    handle(libc::SIGSYS, on_denied);
}

extern "C" fn on_denied(_: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel gives a siginfo of 128 bytes, which holds the number there.
    let call = unsafe { info.cast::<u8>().add(CALL_AT).cast::<c_int>().read() };
    note(call.unsigned_abs());
    let context = context.cast::<libc::ucontext_t>();
    let error = i64::from(-libc::EPERM);
    // SAFETY: the kernel gives a valid context, from which the call takes its result.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        (*context).uc_mcontext.gregs[libc::REG_RAX as usize] = error;
    }
    // SAFETY: as above.
    #[cfg(target_arch = "aarch64")]
    unsafe {
        (*context).uc_mcontext.regs[0] = error as u64;
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = (context, error);
}

/// Writes the number once. The handler uses neither the heap nor locks.
fn note(call: u32) {
    let bit = call.min(511);
    let seen = SEEN[bit as usize / 64].fetch_or(1 << (bit % 64), Ordering::Relaxed);
    if seen & (1 << (bit % 64)) != 0 {
        return;
    }
    let mut text = *b"the confinement denies system call 0000000000\n";
    let mut at = text.len() - 2;
    let mut rest = call;
    while rest > 0 {
        text[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        at -= 1;
    }
    let name = super::calls::name(call).as_bytes();
    let parts: [&[u8]; 4] = [&text[..text.len() - 11], &text[at + 1..text.len() - 1], name, b"\n"];
    for part in parts {
        // SAFETY: the bytes are valid for reads. A closed standard error loses the note.
        unsafe { libc::write(libc::STDERR_FILENO, part.as_ptr().cast(), part.len()) };
    }
}
