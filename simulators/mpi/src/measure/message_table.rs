//! The table `messages-<point>.csv`, with a line for each message in the order of arrival.

use crate::time::{Time, to_seconds};
use engine::TableFile;
use fabric::Node;
use std::io::{BufWriter, Error, Write};
use std::path::Path;

#[derive(Debug)]
pub struct MessageTable {
    writer: BufWriter<TableFile>,
    node_of: Vec<Node>,
    next_id: u64,
    /// The first error of a write, reported at the end.
    error: Option<Error>,
}

impl MessageTable {
    pub fn create(out: &Path, point_id: &str, node_of: &[Node]) -> Result<Self, String> {
        let writer = engine::MESSAGES.create(out, point_id)?;
        Ok(Self { writer, node_of: node_of.to_vec(), next_id: 0, error: None })
    }

    /// Writes a message between two ranks; the table has their nodes. Numbers follow the order of arrival.
    pub fn write(&mut self, src: u32, dst: u32, bytes: u64, sent: Time, arrived: Time) {
        let (from, to) = (self.node_of[src as usize], self.node_of[dst as usize]);
        let (start_s, finish_s, id) = (to_seconds(sent), to_seconds(arrived), self.next_id);
        self.next_id += 1;
        let written = writeln!(self.writer, "{id},{from},{to},{bytes},{start_s},{finish_s}");
        if let (Err(error), None) = (written, &self.error) {
            self.error = Some(error);
        }
    }

    pub fn finish(&mut self) -> Result<(), String> {
        let failed = self.error.take().or(self.writer.flush().err());
        failed.map_or(Ok(()), |error| Err(format!("table messages: {error}")))
    }
}
