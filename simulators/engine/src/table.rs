//! Large tables beside the journal.

use crate::full_disk::note_full_disk;
use crate::table_pipe::{TableSender, table_sender};
use std::fs::File;
use std::io::{BufWriter, ErrorKind, Result as Written, Write};
use std::path::{Path, PathBuf};

/// A file beside the journal. A full disk empties the file and stops the shard. In the process of a point
/// it goes to the process that started it.
#[derive(Debug)]
pub struct TableFile {
    to: To,
    path: PathBuf,
    full: bool,
}

#[derive(Debug)]
enum To {
    File(File),
    Pipe(TableSender),
}

impl TableFile {
    /// Creates the file, or empties it.
    pub fn create(path: PathBuf) -> Result<Self, String> {
        let made = match table_sender(&path) {
            Some(sender) => sender.map(To::Pipe),
            None => File::create(&path).map(To::File),
        };
        match made {
            Ok(to) => Ok(Self { to, path, full: false }),
            Err(error) => {
                note_full_disk(&path, &error);
                Err(format!("{}: {error}", path.display()))
            }
        }
    }
}

impl Write for TableFile {
    fn write(&mut self, bytes: &[u8]) -> Written<usize> {
        if self.full {
            return Err(ErrorKind::StorageFull.into());
        }
        let file = match &mut self.to {
            To::Pipe(sender) => return sender.write(bytes),
            To::File(file) => file,
        };
        file.write(bytes).inspect_err(|error| {
            self.full = note_full_disk(&self.path, error);
            if self.full {
                // Half a table is of no use. Its space is, for the message in the log.
                let _ = file.set_len(0);
            }
        })
    }

    fn flush(&mut self) -> Written<()> {
        match &mut self.to {
            To::Pipe(_) => Ok(()),
            To::File(file) => file.flush(),
        }
    }
}

/// Creates `<table>-<point>.csv` with its header.
pub(crate) fn create_table(
    out: &Path,
    table: &str,
    point: &str,
    header: &str,
) -> Result<BufWriter<TableFile>, String> {
    let path = out.join(format!("{table}-{point}.csv"));
    let mut writer = BufWriter::new(TableFile::create(path.clone())?);
    writeln!(writer, "{header}").map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(writer)
}
