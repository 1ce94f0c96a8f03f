//! The adaptive router of the A-NET multicomputer, under programs: whole messages, event by event.
//!
//! `wiring` makes routers and links of a topology, `table` says which ports lead to a destination, and
//! `network` moves messages. The crate `programs` makes a point of a program on this network.

mod check;
mod declaration;
mod engine;
pub mod network;
pub mod options;
pub mod table;
pub mod wiring;

pub use crate::engine::simulate;
pub use check::check;
pub use declaration::declaration;

/// Name of this engine in specs and shards.
pub const ENGINE: &str = "anet";
/// Names the sources of this engine (see `build.rs`); results of another version do not count.
pub const VERSION: &str = env!("SOURCE_VERSION");
