//! The part of a point's `options` that the router reads; `programs` and `mpi` read the others.
//!
//! `declaration.rs` names unit and source of each.

use engine::Point;
use serde::Deserialize;
use serde_json::Value;
use std::path::PathBuf;

/// Which of the ports that lead to the destination a message takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// The first free one in the order of the table.
    FirstFree,
    /// Any free one, drawn by the seed.
    RandomFree,
    /// The first one of the table, free or not.
    Fixed,
}

/// How many messages a link carries at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Duplex {
    /// One, in either direction.
    Half,
    /// One in each direction.
    Full,
}

/// What a message does that finds no room in the packet buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhenFull {
    /// It goes on asking for its ports and for the buffer.
    AskBoth,
    /// It waits for the buffer alone.
    AskBuffer,
}

/// A router and its surroundings. Times in seconds.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Options {
    pub send_setup_s: f64,
    pub routing_s: f64,
    pub link_s: f64,
    pub interrupt_s: f64,
    pub host_byte_s: f64,
    pub least_message_bytes: u64,
    pub turns: u32,
    /// Without a limit if absent.
    pub packet_buffer_bytes: Option<u64>,
    pub when_full: WhenFull,
    pub choice: Choice,
    pub duplex: Duplex,
    /// Candidate ports; the shortest paths if absent.
    pub ports_file: Option<PathBuf>,
}

/// A time at most, as elsewhere: sums of times then fit.
pub const LONGEST_S: f64 = 1.0;

impl Options {
    /// Those of a point.
    ///
    /// # Errors
    /// Says which option cannot be.
    pub fn of(point: &Point) -> Result<Self, String> {
        Self::read(point.spec.get("options").cloned().unwrap_or_default())
    }

    /// Reads the options and checks each by itself.
    ///
    /// # Errors
    /// Says which option cannot be.
    pub fn read(options: Value) -> Result<Self, String> {
        let read = Self::deserialize(options).map_err(|e| format!("options: {e}"))?;
        let times = [
            ("send_setup_s", read.send_setup_s),
            ("routing_s", read.routing_s),
            ("link_s", read.link_s),
            ("interrupt_s", read.interrupt_s),
            ("host_byte_s", read.host_byte_s),
        ];
        if let Some((key, value)) = times.iter().find(|(_, v)| !(0.0..=LONGEST_S).contains(v)) {
            return Err(format!("{key} is {value}, must be within 0..{LONGEST_S} s"));
        }
        if read.turns == 0 {
            return Err("turns is 0, must be at least 1".into());
        }
        Ok(read)
    }
}
