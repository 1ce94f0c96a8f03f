//! Counting, averaging, and how sure the averages are.

mod batch_means;
mod histogram;
mod message_log;
mod meter;
mod stability;
mod student;
mod warm_up;

pub use batch_means::{Batch, half_width};
pub use histogram::Histogram;
pub use message_log::{Logged, MessageLog};
pub use meter::{Arrived, Meter, Population};
pub use stability::{Balance, Holding, falls_behind, left_over};
pub use student::student_t;
pub use warm_up::truncation;
