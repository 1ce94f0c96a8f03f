//! Workloads: who sends how many bytes to whom, and in which order.
//!
//! Random destinations come from one named generator, PCG XSL 128/64 (`rand_pcg::Pcg64`), seeded by
//! the point, and from integer arithmetic only: a seed means the same on every platform.

mod destinations;
mod file;
mod geometric;
mod injection;
mod messages;
mod pattern;
mod random;
mod spec;

pub use destinations::Destinations;
pub use file::read_messages;
pub use geometric::Geometric;
pub use injection::{Injection, Process, Search};
pub use messages::{Message, Messages};
pub use pattern::{About, Choice, PATTERNS, Pattern, PatternError};
pub use random::Random;
pub use spec::{KINDS, ListSpec, Outstanding, WorkloadError, WorkloadSpec};
