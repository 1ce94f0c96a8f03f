//! Cost models of collectives in closed form.
//!
//! `algorithms` turns a collective into the steps of its slowest rank ([`Schedule`]). `costs` puts a
//! price on a step. `docs/model.md` has the equations with their sources.

mod algorithms;
mod costs;
mod declaration;
mod libraries;
mod network;
mod options;
mod point;
mod rules;
mod schedule;
mod workload;

pub use algorithms::{ALGORITHMS, Multicast, named, set_up, to_group};
pub use costs::{Cost, Curve, Parameters};
pub use declaration::{algorithms, declaration};
pub use point::run_point;
pub use schedule::{Schedule, Step, Way};

/// Name of this engine in specs and shards.
pub const ENGINE: &str = "model";
/// Names the sources of this engine (see `build.rs`); results of another version do not count.
pub const VERSION: &str = env!("SOURCE_VERSION");
