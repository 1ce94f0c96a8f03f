//! A point with a program, on any network: from its spec to its metrics and tables.
//!
//! An engine says how its network is built ([`Engine`]) and what it counts ([`SimulatedNetwork`]). What
//! a network may be ([`Parameters`]), how programs run on it, what is measured and which tables are
//! written is the same for all engines, and stands here.

mod computing;
mod cut;
mod declaration;
mod delays;
mod dma;
mod engine;
mod job;
mod jobs;
mod limits;
mod link_flows;
pub mod measure;
mod metrics;
mod observer;
mod options;
mod pairs;
pub mod parameters;
mod point;
pub mod tables;
pub mod transfers;

pub use crate::engine::{Engine, SimulatedNetwork};
pub use cut::unless_cut;
pub use declaration::{METRICS, TABLES, metrics_by_kind, options, table_options};
pub use delays::Delays;
pub use dma::{Dma, Piece, Read};
pub use link_flows::{JOB_LINKS, LINK_FLOWS, LinkFlows};
pub use metrics::Carried;
pub use observer::NetworkObserver;
pub use parameters::Parameters;
pub use point::simulate;
