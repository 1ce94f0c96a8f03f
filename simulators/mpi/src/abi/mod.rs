//! The calls of programs: C functions that a program gets as a table, see `programs/include/`.
//!
//! A call works on the machine that [`lend`] lends to this thread, for the running rank.

mod caller;
mod communicators;
mod completion;
mod files;
mod heads;
mod host;
mod local;
mod matched;
mod one_sided;
mod threads;
mod two_sided;
mod types;

pub use caller::lend;
pub use host::{Host, table};
pub use types::CStatus;
