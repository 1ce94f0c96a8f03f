//! Packet-level simulation of an RDMA network that C programs drive: virtual cut-through routers,
//! NICs with DMA, MPI-like and one-sided calls (the class of NSIM, OpenNSIM and NSIM-ACE).
//!
//! `network` moves packets, `messaging` gives calls their meaning, `ranks` runs programs as
//! coroutines, `program` compiles and loads them, `measure` watches, `run` puts all of it together in a
//! process of its own, from which `watch` reports what a program did to it.

pub mod abi;
mod declaration;
mod limits;
pub mod measure;
pub mod messaging;
pub mod metrics;
mod names;
pub mod network;
mod nic;
pub mod observer;
pub mod options;
pub mod parameters;
pub mod point;
pub mod program;
pub mod ranks;
pub mod run;
pub mod tables;
pub mod time;
pub mod transport;
mod watch;
pub mod wiring;

pub use declaration::declaration;

/// Name of this engine in specs and shards.
pub const ENGINE: &str = "rdma";
/// Names the sources of this engine (see `build.rs`); results of another version do not count.
pub const VERSION: &str = env!("SOURCE_VERSION");
