//! What a program may do to the process that simulates it: crash, loop for ever, leave,
//! take too much.

#![expect(unsafe_code, reason = "handlers of signals")]

mod bounds;
mod crash;
mod loops;
mod report;

pub use bounds::{Over, SIGNAL, listen};
pub use report::{die, set_answer};

/// Makes the process answer with a reason when the program of this thread ends it. `loop_limit_s` is
/// the CPU time that a rank may run without a call.
pub fn install(loop_limit_s: f64) {
    crash::install();
    loops::install(loop_limit_s);
    // SAFETY: the function is valid for as long as the process.
    unsafe { libc::atexit(crash::on_exit) };
}
