//! The tests of `engine` from outside, in one executable: each further one costs seconds to link.

mod parsers;
mod run;
