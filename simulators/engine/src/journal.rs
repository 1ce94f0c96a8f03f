//! The journal: one JSON line per finished point, each written and flushed as a whole.
//!
//! The last member of a line is `"crc32"`: eight hex digits of CRC-32 over all bytes before it. A line
//! with a wrong checksum does not count, and its point is computed again.

use crate::{EngineError, Measure};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Metric {
    pub metric: String,
    /// Size of the messages, if the metric belongs to one.
    pub message_bytes: Option<u64>,
    pub value: f64,
    pub unit: String,
}

impl Metric {
    /// A value of a declared metric.
    pub fn of((metric, unit): Measure, message_bytes: Option<u64>, value: f64) -> Self {
        Self { metric: metric.into(), message_bytes, value, unit: unit.into() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Done,
    Failed,
    /// There was nothing to compute, for the reason in `error`.
    Skipped,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Line {
    pub point_id: String,
    pub digest: String,
    pub status: Status,
    pub error: Option<String>,
    pub started_at: String,
    pub wall_s: f64,
    pub cpu_s: f64,
    pub peak_rss_bytes: u64,
    pub metrics: Vec<Metric>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<Environment>,
}

/// What is known of a run beside its outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Environment {
    /// One sentence each.
    pub notes: Vec<String>,
}

impl Environment {
    /// Nothing where there are no notes.
    pub fn of(notes: Vec<String>) -> Option<Self> {
        (!notes.is_empty()).then_some(Self { notes })
    }
}

/// The text before the digits of a line's checksum.
const SEAL: &str = ",\"crc32\":\"";

pub struct Journal {
    path: PathBuf,
    file: File,
    /// Point and digest of every complete line.
    held: HashSet<(String, String)>,
}

impl Journal {
    /// Opens the journal, and drops an incomplete last line, which a killed process may leave.
    pub fn open(folder: &Path) -> Result<Self, EngineError> {
        let path = folder.join("journal.jsonl");
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(EngineError::io(&path))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(EngineError::io(&path))?;
        let mut held = HashSet::new();
        let mut complete = 0;
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            let end = complete + line.len();
            let last = end == bytes.len();
            match unsealed(line) {
                Some(read) => {
                    held.insert((read.point_id, read.digest));
                }
                _ if last => break,
                _ => {}
            }
            complete = end;
        }
        file.set_len(complete as u64).map_err(EngineError::io(&path))?;
        file.seek(SeekFrom::End(0)).map_err(EngineError::io(&path))?;
        Ok(Self { path, file, held })
    }

    pub fn holds(&self, point_id: &str, digest: &str) -> bool {
        self.held.contains(&(point_id.to_string(), digest.to_string()))
    }

    /// Appends a line with one write, so that it survives if this process is killed.
    pub fn append(&mut self, line: &Line) -> Result<(), EngineError> {
        let mut text = serde_json::to_string(line)
            .map_err(|e| EngineError::Shard { path: self.path.clone(), reason: e.to_string() })?;
        text.pop();
        let seal = format!("{SEAL}{:08x}\"}}\n", crc32fast::hash(text.as_bytes()));
        text.push_str(&seal);
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(EngineError::io(&self.path))
    }

    /// Asks the system to write all lines to the disk.
    pub fn sync(&self) -> Result<(), EngineError> {
        self.file.sync_data().map_err(EngineError::io(&self.path))
    }
}

/// The line, if it is complete and its checksum fits.
fn unsealed(line: &[u8]) -> Option<Line> {
    let text = line.strip_suffix(b"\"}\n")?;
    let (text, digits) = text.split_at_checked(text.len().checked_sub(8)?)?;
    let text = text.strip_suffix(SEAL.as_bytes())?;
    let fits = format!("{:08x}", crc32fast::hash(text)).as_bytes() == digits;
    if fits { serde_json::from_slice(line).ok() } else { None }
}
