//! The journal: one JSON line per finished point, each written and flushed as a whole.
//!
//! The last member of a line is `"crc32"`: eight hex digits of CRC-32 over all bytes before it. A
//! line that does not fit it does not count, and its point is computed again.

use crate::EngineError;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Metric {
    pub metric: String,
    /// Size of the messages, where the metric has one.
    pub message_bytes: Option<u64>,
    pub value: f64,
    pub unit: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Done,
    Failed,
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
}

/// What stands before the digits of a line's checksum.
const SEAL: &str = ",\"crc32\":\"";

pub struct Journal {
    path: PathBuf,
    file: File,
    /// Point and digest of every complete line.
    held: HashSet<(String, String)>,
}

impl Journal {
    /// Opens the journal and drops a last line that a killed process left torn.
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

    /// Appends a line with one write; the kernel holds it though this process is killed.
    pub fn append(&mut self, line: &Line) -> Result<(), EngineError> {
        let mut text = serde_json::to_string(line)
            .map_err(|e| EngineError::Shard { path: self.path.clone(), reason: e.to_string() })?;
        text.pop();
        let seal = format!("{SEAL}{:08x}\"}}\n", crc32fast::hash(text.as_bytes()));
        text.push_str(&seal);
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(EngineError::io(&self.path))
    }

    /// Asks the system to put all lines on disk.
    pub fn sync(&self) -> Result<(), EngineError> {
        self.file.sync_data().map_err(EngineError::io(&self.path))
    }
}

/// A whole line that fits its checksum.
fn unsealed(line: &[u8]) -> Option<Line> {
    let text = line.strip_suffix(b"\"}\n")?;
    let (text, digits) = text.split_at_checked(text.len().checked_sub(8)?)?;
    let text = text.strip_suffix(SEAL.as_bytes())?;
    let fits = format!("{:08x}", crc32fast::hash(text)).as_bytes() == digits;
    if fits { serde_json::from_slice(line).ok() } else { None }
}
