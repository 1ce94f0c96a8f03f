//! `weft-anet check`: whether routers and table of a point can be, before anything runs.

use crate::table::PortTable;
use crate::wiring::Wiring;
use fabric::Described;
use serde::Deserialize;
use std::io::Read;
use std::path::PathBuf;

/// The part of a point that decides its routers.
#[derive(Debug, Deserialize)]
struct Asked {
    seed: u64,
    topology: Described,
    ports_file: Option<PathBuf>,
}

/// Reads the JSON object of a point and looks for mistakes of its topology and its table of ports.
///
/// # Errors
/// Says what the topology or the file cannot be, with the line of the file.
pub fn check(point: impl Read) -> Result<(), String> {
    let asked: Asked = serde_json::from_reader(point).map_err(|e| e.to_string())?;
    let fabric = asked.topology.topology.build_channels(asked.seed).map_err(|e| e.to_string())?;
    let wiring = Wiring::new(&fabric)?;
    match &asked.ports_file {
        Some(path) => PortTable::read(path, &wiring).map(|_| ()),
        None => Ok(()),
    }
}
