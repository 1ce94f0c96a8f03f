//! Cycle-accurate simulation of input-queued virtual-channel routers (Dally and Towles, "Principles
//! and Practices of Interconnection Networks", chapters 16 and 17), flit by flit.
//!
//! One cycle is the time in which a channel carries one flit.

mod alarms;
pub mod allocator;
mod calendar;
mod channels;
mod declaration;
mod design;
pub mod gates;
mod machine;
pub mod measure;
mod metrics;
mod options;
mod packets;
mod point;
pub mod program;
pub mod recorder;
mod router;
pub mod router_options;
pub mod routing;
pub mod run;
pub mod simulation;
mod sources;
mod study;
mod tables;
pub mod traffic;
pub mod wiring;

pub use declaration::declaration;
pub use point::run_point;
pub use simulation::Simulation;

/// Name of this engine in specs and shards.
pub const ENGINE: &str = "packet";
/// Names the sources of this engine (see `build.rs`); results of another version do not count.
pub const VERSION: &str = env!("SOURCE_VERSION");
