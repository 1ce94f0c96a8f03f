//! The network of A-NET routers, and points with programs on it.

mod common;
mod draining;
mod heads;
mod hosts;
mod mistakes;
mod ports;
mod standing_still;
mod waiting;
mod zero_load;
