//! How a point is run: in a process of its own, its ranks on nodes.

mod child;
mod job;
mod log;
mod outside;
mod placement;
mod simulate;

pub use child::run_point;
pub use job::Job;
pub use placement::place;
pub use simulate::simulate;
