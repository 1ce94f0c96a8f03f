//! Packet-level simulation of an RDMA network that C programs drive: virtual cut-through routers,
//! NICs with DMA, MPI-like and one-sided calls (the class of NSIM, OpenNSIM and NSIM-ACE).
//!
//! `network` moves packets, `nic` cuts transfers into them. The crate `programs` makes a point of a
//! program on this network, `mpi` knows what its calls mean, `ranks` runs C as coroutines.

mod declaration;
mod engine;
pub mod network;
mod nic;
pub mod wiring;

pub use crate::engine::simulate;
pub use declaration::declaration;

/// Name of this engine in specs and shards.
pub const ENGINE: &str = "rdma";
/// Names the sources of this engine (see `build.rs`); results of another version do not count.
pub const VERSION: &str = env!("SOURCE_VERSION");
