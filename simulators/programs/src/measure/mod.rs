//! What is seen of the network beside its metrics: series over time, congested ports.

mod blocked;
mod buffers;
mod classes;
mod links;
mod network_watch;

pub use blocked::{Congested, Waits};
pub use buffers::BufferSeries;
pub use classes::Classes;
pub use links::{LinkSeries, THROUGHPUT_CLASSES};
pub use network_watch::{Buffers, NetworkSeries, NetworkWatch, WatchNetwork};
