//! A point in a process of its own, which its program may bring down: started, watched, ended.

mod child;
mod log;
mod outside;
mod simulate;

pub use child::run_point;
pub use simulate::{Compute, simulate};
