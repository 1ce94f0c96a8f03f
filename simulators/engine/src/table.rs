//! Large tables beside the journal.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Creates `<table>-<point>.csv` with its header.
pub fn create_table(
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
pub const LINKS_HEADER: &str = "link,class,source,target,bytes,busy_s,utilisation";
