//! Packet-level simulation of an RDMA network that C programs drive: virtual cut-through routers,
//! NICs with DMA, MPI-like and one-sided calls (the class of NSIM, OpenNSIM and NSIM-ACE).
//!
//! `network` moves packets, `nic` cuts transfers into them, `measure` watches. The programs are a matter
//! of the crates `mpi` (what their calls mean) and `ranks` (C programs as coroutines).

mod declaration;
mod job;
mod limits;
pub mod measure;
pub mod metrics;
pub mod network;
mod nic;
pub mod observer;
pub mod options;
pub mod parameters;
pub mod point;
pub mod tables;
pub mod wiring;

pub use declaration::declaration;

/// Name of this engine in specs and shards.
pub const ENGINE: &str = "rdma";
/// Names the sources of this engine (see `build.rs`); results of another version do not count.
pub const VERSION: &str = env!("SOURCE_VERSION");
