//! Tables of a point's process, on their way to the process that started it, which writes the files.
//!
//! A piece is its seal, the lengths of name and content, the name of the file, and the content.

use crate::sealed::{Key, SEAL_BYTES, Seals};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Most bytes of a piece.
pub(crate) const MOST_BYTES: usize = 64 << 10;
pub(crate) const LENGTHS_BYTES: usize = 5;

/// Where the tables of this process go, if it belongs to one point.
static PIPE: Mutex<Option<(File, Seals)>> = Mutex::new(None);

/// Sends all tables that this process makes from now on through the pipe.
pub fn send_tables(pipe: File, key: &Key) {
    *lock() = Some((pipe, seals(key)));
}

pub(crate) fn seals(key: &Key) -> Seals {
    Seals::new(key, "table")
}

fn lock() -> std::sync::MutexGuard<'static, Option<(File, Seals)>> {
    PIPE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One table that is sent.
#[derive(Debug)]
pub struct TableSender {
    name: String,
}

/// What sends a table of this name, in a process whose tables are sent. Its file is there from now on,
/// empty.
pub fn table_sender(path: &Path) -> Option<io::Result<TableSender>> {
    lock().as_ref()?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut sender = TableSender { name };
    Some(sender.send(&[]).map(|()| sender))
}

impl TableSender {
    /// Sends the first of these bytes, and says how many.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(MOST_BYTES);
        self.send(&bytes[..count]).map(|()| count)
    }

    fn send(&mut self, content: &[u8]) -> io::Result<()> {
        let mut pipe = lock();
        let Some((pipe, seals)) = pipe.as_mut() else { return Ok(()) };
        let name = self.name.as_bytes();
        let seal = seals.next(&[name, content]);
        let length = u32::try_from(content.len()).expect("a piece is short");
        let mut piece = Vec::with_capacity(SEAL_BYTES + LENGTHS_BYTES + name.len() + content.len());
        piece.extend_from_slice(&seal);
        piece.push(u8::try_from(name.len()).expect("a name is short"));
        piece.extend_from_slice(&length.to_le_bytes());
        piece.extend_from_slice(name);
        piece.extend_from_slice(content);
        pipe.write_all(&piece)
    }
}
