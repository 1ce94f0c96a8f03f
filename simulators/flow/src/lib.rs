//! Flow-level simulation: a message is a fluid that crosses all channels of its route at one rate.
//!
//! Two rules share the channels: `equal_share`, the rule of the Message Flow Simulator (MFS; Yazaki
//! and Ishihata), and `max_min` fairness. Both are exact: the state changes only when a message
//! begins or ends, and between two such instants all rates are constant.

mod capacity;
mod declaration;
mod due;
mod engine;
mod equal_share;
mod heap;
mod incidence;
mod job;
mod level;
mod list;
mod max_min;
mod measures;
pub mod network;
mod options;
mod point;
mod routes;
mod rule;
mod sharing;
mod simulation;
mod tables;

pub use crate::engine::simulate_program;
pub use declaration::declaration;
pub use job::{Job, Outcome};
pub use measures::Measures;
pub use point::run_point;
pub use routes::{write_graph, write_needs, write_routes};
pub use sharing::Model;
pub use simulation::simulate;

/// Name of this engine in specs and shards.
pub const ENGINE: &str = "flow";
/// Names the sources of this engine (see `build.rs`); results of another version do not count.
pub const VERSION: &str = env!("SOURCE_VERSION");
