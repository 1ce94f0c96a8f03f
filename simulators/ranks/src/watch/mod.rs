//! Reports what a program does to the process that simulates it: it crashes, never ends, calls `exit`,
//! or exceeds a limit.

#![expect(unsafe_code, reason = "handlers of signals")]

mod bounds;
mod crash;
mod loops;
mod report;

use crate::names;
pub use bounds::{Over, SIGNAL, listen};
pub(crate) use crash::handle;
pub use report::{die, keep_note, note, set_answer};
pub(crate) use report::{is_of_one_point, notes, write_beside};

/// Makes the process answer with a reason when its program ends it. Reasons name options of `engine`.
/// `loop_limit_s` is the CPU time that a rank may run without a call.
pub fn install(engine: &'static str, loop_limit_s: f64) {
    names::set_engine(engine);
    crash::install();
    loops::install(loop_limit_s);
    // SAFETY: the function exists as long as the process.
    unsafe { libc::atexit(crash::on_exit) };
}
