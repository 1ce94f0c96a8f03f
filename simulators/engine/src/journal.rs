//! The journal: one JSON line per finished point, each written and flushed as a whole.

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
            match serde_json::from_slice::<Line>(line) {
                Ok(line_read) if line.ends_with(b"\n") => {
                    held.insert((line_read.point_id, line_read.digest));
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
        text.push('\n');
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(EngineError::io(&self.path))
    }

    /// Asks the system to put all lines on disk.
    pub fn sync(&self) -> Result<(), EngineError> {
        self.file.sync_data().map_err(EngineError::io(&self.path))
    }
}
