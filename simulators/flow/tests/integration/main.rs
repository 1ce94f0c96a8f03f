//! The tests of `flow` from outside, in one executable: each further one costs seconds to link.

mod command;
mod common;
mod computing;
mod delays;
mod fairness;
mod limits;
mod message_times;
mod mixed_links;
#[path = "../../../rdma/tests/integration/network_common/mod.rs"]
mod network_common;
mod program_calls;
mod program_sharing;
mod program_zero_load;
mod programs;
mod published;
mod rates;
mod routes;
mod shards;
