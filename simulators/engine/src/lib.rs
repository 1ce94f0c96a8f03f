//! What all native engines share: the command line, shards and journals.
//!
//! An engine provides a function from a point to metrics. [`run`] reads the shard, skips points whose
//! digest the journal already holds, computes the others on several threads and appends one line per
//! finished point. A point that fails or panics becomes a line with status `failed`; one that has nothing to
//! compute, a line with status `skipped`.

mod answer;
mod clock;
mod command;
mod costs;
mod counter;
mod declaration;
mod flights;
mod full_disk;
mod journal;
mod limits;
mod lock;
mod network;
mod network_tables;
mod output;
mod quantile;
mod run;
mod sealed;
mod shard;
mod side_table;
mod table;
mod table_pipe;
mod table_receiver;
mod watch;

pub use answer::{Answer, Unanswered};
pub use clock::{Clock, Usage, thread_clock};
pub use command::Simulator;
pub use costs::{Curves, LogGp, MessageCosts, Piece, TimesBySize};
pub use counter::Instructions;
pub use declaration::{Measure, algorithm_option, with_units, words};
pub use full_disk::FullDisk;
pub use journal::{Environment, Journal, Line, Metric, Status};
pub use limits::{Limits, resident_bytes};
pub use network::Network;
pub use network_tables::{LINKS, MESSAGES, NODES, SERIES};
pub use output::{complain, print, print_line};
pub use quantile::quantile;
pub use run::{Arguments, Summary, run};
pub use sealed::{Key, SEAL_BYTES, Seals};
pub use shard::{Point, Shard};
pub use side_table::{AskedTables, Cells, Column, Filled, SideTable, side_tables, tables_option};
pub use table::TableFile;
pub use table_pipe::send_tables;
pub use table_receiver::TableReceiver;

use std::path::PathBuf;
use thiserror::Error;

/// Errors that stop a whole shard.
#[derive(Debug, Error)]
pub enum EngineError {
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    #[error("{0}")]
    Full(#[from] FullDisk),
    #[error("{path}: {reason}")]
    Shard { path: PathBuf, reason: String },
    #[error("{0}: another process computes this shard")]
    Locked(PathBuf),
}

impl EngineError {
    pub(crate) fn io(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Self + '_ {
        move |source| match FullDisk::of(path, &source) {
            Some(full) => EngineError::Full(full),
            None => EngineError::Io { path: path.to_path_buf(), source },
        }
    }

    /// Exit code of the process: 2 invalid input, 3 reading or writing failed, 4 shard is locked.
    pub fn exit_code(&self) -> u8 {
        match self {
            EngineError::Shard { .. } => 2,
            EngineError::Io { .. } | EngineError::Full(_) => 3,
            EngineError::Locked(_) => 4,
        }
    }
}
