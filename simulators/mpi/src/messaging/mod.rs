//! What the calls of a program mean: messages between ranks, puts and gets, communicators, time.
//!
//! [`Machine`] is the state of all ranks and messages. The calls themselves come in through
//! [`crate::abi`].

mod access;
mod agreement;
mod blame;
mod causes;
mod chosen;
mod communicators;
mod contexts;
mod costs;
mod handle;
mod heads;
mod job_of_rank;
mod jobs;
mod machine;
mod matching;
mod memory;
mod message;
mod notes;
mod observing;
mod one_sided;
mod operation;
mod operations;
mod payloads;
mod polling;
mod polls;
mod processor;
mod protocol;
mod queues;
mod rank;
mod request;
mod samples;
mod slab;
mod storage;
mod taken;
mod texts;
mod thread;
mod threads;
mod timers;
mod two_sided;
mod two_sides;
mod waiting;

pub use communicators::Part;
pub use costs::{Alone, Costs};
pub use machine::Machine;
pub use one_sided::OneSided;
pub use operation::{Effect, Operation};
pub use operations::release_later;
pub use protocol::Protocol;
pub use rank::{Library, Rank};
pub use request::{EMPTY, FROM_NOBODY, PROC_NULL, Status, place};
pub use samples::Samples;
pub use storage::Storage;
pub use thread::{Idle, Waiting};
pub use two_sided::{Receive, Send};
