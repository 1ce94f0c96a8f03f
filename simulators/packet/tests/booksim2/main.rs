//! Against measurements of BookSim2 (see `tests/data/booksim2/README.md`). Every test prints its
//! table: `cargo test --profile checked -p packet --test booksim2 -- --nocapture`.

#[path = "../common/mod.rs"]
mod common;

mod atr;
mod latency_load;
mod network;
mod rows;
mod seeds;
mod table1;
