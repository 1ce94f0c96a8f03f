//! The tests of `fabric` from outside, in one executable: each further one costs seconds to link.

mod catalogue;
mod choices;
mod common;
mod deadlock;
mod failures;
mod graph_tables;
mod graphs;
mod large_graphs;
mod rails;
mod routes;
mod spec;
