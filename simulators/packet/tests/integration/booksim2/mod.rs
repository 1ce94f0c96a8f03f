//! Against measurements of BookSim2 (see `tests/data/booksim2/README.md`). Every test prints its
//! table: `cargo test --release -p packet --test integration booksim2:: -- --include-ignored
//! --nocapture`. Those that are ignored belong to the long tier, `tests/long/test_booksim2.py`.

mod atr;
mod latency_load;
mod network;
mod rows;
mod seeds;
mod table1;
