//! Tables on demand: `messages-<point>.csv` and `links-<point>.csv`.

use crate::simulation::{Job, Outcome};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Creates a table with its header.
pub fn create(
    out: &Path,
    table: &str,
    point: &str,
    header: &str,
) -> Result<BufWriter<File>, String> {
    let path = out.join(format!("{table}-{point}.csv"));
    let file = File::create(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut writer = BufWriter::new(file);
    writeln!(writer, "{header}").map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(writer)
}

pub const MESSAGES_HEADER: &str = "message_id,src,dst,bytes,start_s,finish_s";
pub const LINKS_HEADER: &str = "link,bytes,busy_s,utilisation";

/// Appends all finished messages of one run; numbers go on from `first_id`.
pub fn messages(
    writer: &mut impl Write,
    job: &Job,
    outcome: &Outcome,
    first_id: u64,
) -> std::io::Result<()> {
    for src in 0..job.messages.nodes() {
        for message in job.messages.range(src) {
            let finish_s = outcome.finish_s[message as usize];
            if finish_s.is_nan() {
                continue;
            }
            let id = first_id + u64::from(message);
            let (dst, bytes) = (job.messages.dst(message), job.messages.bytes(message));
            let start_s = outcome.issue_s[message as usize];
            writeln!(writer, "{id},{src},{dst},{bytes},{start_s},{finish_s}")?;
        }
    }
    Ok(())
}

/// Writes every channel of the fabric, also those that carried nothing.
pub fn links(writer: &mut impl Write, job: &Job, outcome: &Outcome) -> std::io::Result<()> {
    let capacity = job.bandwidth_bytes_per_s * outcome.end_s;
    for channel in (0..job.fabric.channels()).filter(|&channel| job.fabric.exists(channel)) {
        let bytes = outcome.channel_bytes[channel as usize];
        let busy_s = outcome.channel_busy_s[channel as usize];
        let utilisation = if capacity > 0.0 { bytes / capacity } else { 0.0 };
        writeln!(writer, "{},{bytes},{busy_s},{utilisation}", job.fabric.name(channel))?;
    }
    Ok(())
}
