//! Programs of others as ranks of one simulation: compiled, loaded, kept apart from each other,
//! switched, and watched. All that is unsafe about C programs is here.
//!
//! `program` compiles and loads, `coroutines` switches between ranks, `watch` says why a program brought
//! its process down, `process` gives every point a process of its own. What calls mean is no matter of
//! this crate.

mod coroutines;
mod names;
mod process;
mod program;
mod watch;

pub use coroutines::{PrivateMemory, Ranks, Step, current, end, last_call, note_call, suspend};
pub use names::{as_in, in_words_of_the_program};
pub use process::{Compute, run_point, simulate};
pub use program::{Program, Source};
pub use watch::{die, install};
