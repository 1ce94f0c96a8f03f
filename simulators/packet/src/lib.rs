//! Cycle-accurate simulation of input-queued virtual-channel routers (Dally and Towles, "Principles
//! and Practices of Interconnection Networks", chapters 16 and 17), flit by flit.
//!
//! One cycle is the time in which a channel carries one flit.

pub mod measure;
mod point;
pub mod recorder;
pub mod router_options;
pub mod routing;
pub mod run;
pub mod traffic;
pub mod wiring;

pub use point::{describe, run_point};

/// Name of this engine in specs and shards.
pub const ENGINE: &str = "packet";
/// Names the sources of this engine (see `build.rs`); results of another version do not count.
pub const VERSION: &str = env!("SOURCE_VERSION");
