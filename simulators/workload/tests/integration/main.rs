//! The tests of `workload` from outside, in one executable: each further one costs seconds to link.

mod file;
mod patterns;
