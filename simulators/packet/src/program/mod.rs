//! Programs: the flit-level network as a [`mpi::Transport`].
//!
//! A program's times are picoseconds, the network's are cycles. NICs stand between both: they cut
//! transfers into packets, which sources send flit by flit, and put together what sinks take.
//! [`Clock`] converts, [`Pipeline`] gives routers and channels their cycles.

mod clock;
mod engine;
mod events;
mod network;
mod nics;
mod pipeline;
mod receive;
mod samples;
mod send;
mod watch;

pub use clock::Clock;
pub use engine::{Flits, simulate};
pub use network::FlitNetwork;
pub use pipeline::Pipeline;
