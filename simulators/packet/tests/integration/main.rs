//! The tests of `packet` from outside, in one executable: each further one costs seconds to link.

mod booksim2;
mod calibrated;
mod command;
mod common;
mod deadlock;
mod detours;
mod draining;
mod flits;
mod lists;
mod measuring;
mod pace;
mod program_order;
mod program_zero_load;
mod refusals;
mod router_options;
mod routing;
mod spec;
mod tables;
mod walks;
mod wiring;
mod zero_load;
