//! What the calls of a program mean: messages between ranks, puts and gets, communicators, time.
//!
//! The network is a [`Transport`]: it moves data from node to node and reports when they arrive. This
//! crate knows nothing else of a network, so that every engine can run programs. [`Machine`] is the
//! state of all ranks and messages. [`drive()`] lets time pass and ranks run. `abi` is the table of
//! calls that a program gets. [`Loaded`] runs a program from its source to its end.

pub mod abi;
mod calendar;
pub mod computing;
mod drive;
mod files;
mod job_places;
mod jobs;
mod launch;
pub mod measure;
mod messaging;
mod observer;
mod options;
mod placement;
pub mod time;
mod transport;
mod workload;

pub use calendar::Calendar;
pub use drive::{drive, drive_jobs};
pub use files::{Files, STORAGE_BANDWIDTH_GB_PER_S, STORAGE_LATENCY_US};
pub use job_places::place_jobs;
pub use jobs::{Job, Runs};
pub use launch::{Ended, Hosts, Loaded, Team};
pub use messaging::{Alone, Costs, Machine, Protocol, Samples};
pub use observer::{Call, Cause, Nobody, Observer, Rest, Wait};
pub use options::{ALGORITHMS, Compute, LIBRARIES, Options, Payload};
pub use placement::{Placing, RankToNode, place};
pub use transport::{Happening, Kind, Token, Transfer, Transport};
pub use workload::{JobSpec, MOST_JOBS, Workload};
