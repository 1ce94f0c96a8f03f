//! Explicit message lists: CSV with the header `src,dst,bytes` and optionally `start_s` (or
//! `start`, in seconds).

use crate::Messages;
use crate::messages::Message;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// The latest start, and the most bytes of a message: times and sums beyond lose what they count.
const LATEST_START_S: f64 = 1e9;
const MOST_BYTES: u64 = 1 << 50;

/// Reads a message list; every error names the file and the line.
pub fn read_messages(path: &Path, nodes: u32) -> Result<Messages, String> {
    let file = File::open(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut list = Vec::new();
    let mut columns = None;
    for (index, line) in BufReader::new(file).lines().enumerate() {
        let at = |reason: String| format!("{}:{}: {reason}", path.display(), index + 1);
        let line = line.map_err(|e| at(e.to_string()))?;
        // Some programs begin a file with a mark of its encoding.
        let line = if index == 0 { line.trim_start_matches('\u{feff}') } else { &line };
        let fields: Vec<&str> = line.split(',').map(unquoted).collect();
        if let Some(columns) = columns {
            if !line.trim().is_empty() {
                list.push(message(&fields, columns, nodes).map_err(at)?);
            }
            continue;
        }
        columns = match fields[..] {
            ["src", "dst", "bytes"] => Some(3),
            ["src", "dst", "bytes", "start_s" | "start"] => Some(4),
            _ => {
                let header = "the header must be src,dst,bytes or src,dst,bytes,start_s";
                return Err(at(format!("{header}, not {line:?}")));
            }
        };
    }
    if list.is_empty() {
        return Err(format!("{}: no messages", path.display()));
    }
    Ok(Messages::explicit(nodes, &list))
}

/// A field without the blanks and quotes around it.
fn unquoted(field: &str) -> &str {
    field.trim().trim_matches('"')
}

fn message(fields: &[&str], columns: usize, nodes: u32) -> Result<Message, String> {
    if fields.len() != columns {
        return Err(format!("{} fields instead of {columns}", fields.len()));
    }
    let node = |name: &str, text: &str| match text.parse::<u32>() {
        Ok(node) if node < nodes => Ok(node),
        _ => Err(format!("{name} is {text}, must be a node within 0..{nodes}")),
    };
    let src = node("src", fields[0])?;
    let dst = node("dst", fields[1])?;
    let bytes =
        fields[2].parse::<u64>().ok().filter(|bytes| *bytes <= MOST_BYTES).ok_or_else(|| {
            format!("bytes is {}, must be an integer within 0..{MOST_BYTES}", fields[2])
        })?;
    let start_s = match fields.get(3) {
        None => 0.0,
        Some(text) => text
            .parse::<f64>()
            .ok()
            .filter(|seconds| (0.0..=LATEST_START_S).contains(seconds))
            .ok_or_else(|| {
                format!("start_s is {text}, must be a number within 0..{LATEST_START_S:e}")
            })?,
    };
    Ok(Message { src, dst, bytes, start_s })
}
