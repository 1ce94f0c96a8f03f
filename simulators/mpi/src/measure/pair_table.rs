//! The table `rank_pairs-<point>.csv`: what each rank sent to each other one.

use engine::{Column, SideTable, TableFile};
use std::collections::BTreeMap;
use std::io::{BufWriter, Error, Write};
use std::path::Path;

pub const RANK_PAIRS: SideTable = SideTable::new(
    "rank_pairs",
    "pair of ranks of which the first sent to the second",
    &[
        Column::integer("source", "rank that sends"),
        Column::integer("destination", "rank that receives"),
        Column::integer("messages", "how many"),
        Column::integer("bytes", "of all of them"),
    ],
)
.about(
    "Puts and gets count, and the messages of collectives; what an atomic access fetches is a message \
     from its target. On hardware only what the program sends itself.",
);

#[derive(Debug)]
pub struct PairTable {
    writer: BufWriter<TableFile>,
    /// Messages and bytes by source and destination; pairs without a message are absent.
    sent: BTreeMap<(u32, u32), (u64, u64)>,
}

impl PairTable {
    pub fn create(out: &Path, point_id: &str) -> Result<Self, String> {
        let writer = RANK_PAIRS.create(out, point_id)?;
        Ok(Self { writer, sent: BTreeMap::new() })
    }

    pub fn add(&mut self, source: u32, destination: u32, bytes: u64) {
        let sum = self.sent.entry((source, destination)).or_default();
        *sum = (sum.0 + 1, sum.1 + bytes);
    }

    /// Writes the rows, by source and destination.
    pub fn finish(&mut self) -> Result<(), String> {
        let failed = |error: Error| format!("table rank_pairs: {error}");
        for ((source, destination), (messages, bytes)) in &self.sent {
            writeln!(self.writer, "{source},{destination},{messages},{bytes}").map_err(failed)?;
        }
        self.writer.flush().map_err(failed)
    }
}
