//! Records of a program beside its metrics: latencies over time, messages, history.
//!
//! Time is divided into equal intervals. What spans several intervals is divided between them exactly, in
//! whole picoseconds and bytes.

mod call_table;
mod courses;
mod critical_path;
mod history;
mod intervals;
mod latency;
mod message_table;
mod pair_table;
mod program_watch;
mod rank_timeline;

pub use call_table::CALLS;
pub use courses::{Courses, MOST_PIECES, State};
pub use critical_path::{CRITICAL_PATH, Hop};
pub use history::{HISTORY, History, MOST_EVENTS};
pub use intervals::{Interval, Intervals, Join, MOST_INTERVALS, Numbers, PerInterval};
pub use latency::{Latencies, LatencySeries};
pub use message_table::MessageTable;
pub use pair_table::RANK_PAIRS;
pub use program_watch::{ProgramWatch, WatchProgram};
pub use rank_timeline::RANK_TIMELINE;
