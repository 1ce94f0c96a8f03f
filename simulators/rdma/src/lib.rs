//! Packet-level simulation of an RDMA network that C programs drive: virtual cut-through routers,
//! NICs with DMA, MPI-like and one-sided calls (the class of NSIM, OpenNSIM and NSIM-ACE).
//!
//! `network` moves packets, `messaging` gives calls their meaning, `ranks` runs programs as
//! coroutines, `measure` watches.

pub mod abi;
pub mod measure;
pub mod messaging;
pub mod metrics;
pub mod network;
mod nic;
pub mod observer;
pub mod parameters;
pub mod program;
pub mod ranks;
pub mod tables;
pub mod time;
pub mod transport;
pub mod wiring;

/// Name of this engine in specs and shards.
pub const ENGINE: &str = "rdma";
/// Names the sources of this engine (see `build.rs`); results of another version do not count.
pub const VERSION: &str = env!("SOURCE_VERSION");
