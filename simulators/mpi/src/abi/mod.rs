//! The calls of programs: C functions that a program gets as a table, see `programs/include/`.
//!
//! A call works on the machine that [`bind`] set on this thread, for the rank that runs.

mod caller;
mod communicators;
mod completion;
mod host;
mod local;
mod one_sided;
mod two_sided;
mod types;

pub use caller::{Bound, bind};
pub use host::{Host, table};
pub use types::CStatus;
