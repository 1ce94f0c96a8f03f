//! The tests of `rdma` from outside, in one executable: each further one costs seconds to link.

mod chosen_routes;
mod chosen_routes_flits;
mod command;
mod confinement;
mod exchanges;
mod exposed_memory;
mod failures;
mod flit_level;
mod messages_on_network;
mod mixed_links;
mod network_common;
mod network_draining;
mod network_flits;
mod network_full_rings;
mod network_limits;
mod network_survey;
mod network_zero_load;
mod program_flits;
mod shard;
mod shipped_barriers;
mod smpi_alltoall;
mod smpi_barriers;
mod watch_network;
mod watching;
