//! Runs C programs of users as the ranks of one simulation. All code that is unsafe because it runs C
//! programs is in this crate.
//!
//! `program` compiles and loads a program and keeps the globals of its ranks apart. `coroutines`
//! switches between ranks. `watch` reports why a program brought its process down. `process` gives
//! every point a process of its own, to which `confine` closes files and system calls. This crate does
//! not know what calls mean; `mpi` does.

mod confine;
mod coroutines;
mod names;
mod process;
mod program;
mod watch;

pub use confine::confine;
pub use coroutines::{
    PrivateMemory, Ranks, Start, Step, current, end, last_call, leave_thread, note_call,
    note_return, note_thread, suspend,
};
pub use names::{EngineOption, as_in, in_words_of_the_program};
pub use process::{COMPILERS, Compute, command, enter, run_point};
pub use program::{Build, Built, Program, Source, Team};
pub use watch::{die, install, keep_note, note};
