//! Runs: what is simulated for how long, and what is looked at meanwhile.

mod closed;
mod network;
mod outcome;
mod pace;
mod search;
mod series;
mod steady;

pub use closed::run_closed;
pub use network::Network;
pub use outcome::{Steady, Window};
pub use pace::{Pace, STALLED_CYCLES};
pub use search::{Probe, Saturation, TOLERANCE, saturation};
pub use series::{Interval, Occupancy, Series};
pub use steady::SteadyPlan;
