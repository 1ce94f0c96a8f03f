//! What is seen of a run beside its metrics: series over time, congested ports, messages, history.
//!
//! Time is divided into equal intervals. Whatever spans several of them is divided between them
//! exactly: in whole picoseconds and bytes.

mod blocked;
mod buffers;
mod classes;
mod history;
mod intervals;
mod latency;
mod links;
mod message_table;
mod network_watch;
mod program_watch;

pub use blocked::{Congested, Waits};
pub use buffers::BufferSeries;
pub use classes::Classes;
pub use history::{History, MOST_EVENTS};
pub use intervals::{Interval, Intervals, Join, MOST_INTERVALS, Numbers, PerInterval};
pub use latency::{Latencies, LatencySeries};
pub use links::{LinkSeries, THROUGHPUT_CLASSES};
pub use message_table::MessageTable;
pub use network_watch::{NetworkSeries, NetworkWatch, WatchNetwork};
pub use program_watch::{ProgramWatch, WatchProgram};
