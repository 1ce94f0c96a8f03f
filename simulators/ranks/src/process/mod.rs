//! Gives each point a process of its own, which its program may bring down: starts it, watches its
//! limits, and ends it.

mod child;
mod folder;
mod lines;
mod log;
mod outside;
mod reply;
mod simulate;
mod start;
mod tables;
mod used;

pub use child::run_point;
pub use folder::enter;
pub(crate) use reply::Confined;
pub use simulate::{COMPILERS, Compute, command};
pub(crate) use start::SEARCHED;
