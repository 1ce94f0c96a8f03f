//! `weft-catalogue` prints the catalogue.

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    engine::print("weft-catalogue", |out| {
        write!(out, "{}", catalogue::text()).map_err(|e| format!("writing: {e}"))
    })
}
