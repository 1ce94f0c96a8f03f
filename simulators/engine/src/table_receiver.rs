//! Tables that a point's process sends, written by the process that started it.

use crate::sealed::{Key, SEAL_BYTES, Seals};
use crate::table::TableFile;
use crate::table_pipe::{LENGTHS_BYTES, MOST_BYTES, seals};
use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Endings of what a point leaves beside its line of the journal.
const ENDINGS: [&str; 3] = ["csv", "json", "times"];

/// Writes the tables of a point, of which nothing is believed before its seal was checked.
pub struct TableReceiver<'a> {
    out: &'a Path,
    point_id: &'a str,
    seals: Seals,
    /// What has come and is no whole piece.
    rest: Vec<u8>,
    files: HashMap<String, TableFile>,
}

impl<'a> TableReceiver<'a> {
    /// Writes the tables of the point into the folder `out`.
    pub fn new(out: &'a Path, point_id: &'a str, key: &Key) -> Self {
        Self { out, point_id, seals: seals(key), rest: vec![], files: HashMap::new() }
    }

    /// Takes what has come.
    ///
    /// # Errors
    /// Says that it is no table of the engine, or why the table cannot be written.
    pub fn take(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.rest.extend_from_slice(bytes);
        let mut begin = 0;
        while let Some(length) = self.length(begin)? {
            let piece = &self.rest[begin..begin + length];
            let (seal, content) = piece.split_at(SEAL_BYTES);
            let name_end = LENGTHS_BYTES + usize::from(content[0]);
            let (name, content) = (&content[LENGTHS_BYTES..name_end], &content[name_end..]);
            if !self.seals.fits(&[name, content], seal) {
                return Err(foreign());
            }
            let path = self.path(name)?;
            let file = match self.files.entry(path.to_string_lossy().into_owned()) {
                std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
                std::collections::hash_map::Entry::Vacant(new) => {
                    new.insert(TableFile::create(path.clone())?)
                }
            };
            file.write_all(content).map_err(|error| format!("{}: {error}", path.display()))?;
            begin += length;
        }
        self.rest.drain(..begin);
        Ok(())
    }

    /// All has come.
    ///
    /// # Errors
    /// When it ends within a piece.
    pub fn end(self) -> Result<(), String> {
        if self.rest.is_empty() { Ok(()) } else { Err(foreign()) }
    }

    /// The length of the piece that begins there, once all of it has come.
    fn length(&self, begin: usize) -> Result<Option<usize>, String> {
        let lengths = self.rest[begin..].get(SEAL_BYTES..SEAL_BYTES + LENGTHS_BYTES);
        let Some(&[name, a, b, c, d]) = lengths else { return Ok(None) };
        let content = u32::from_le_bytes([a, b, c, d]) as usize;
        if content > MOST_BYTES {
            return Err(foreign());
        }
        let length = SEAL_BYTES + LENGTHS_BYTES + usize::from(name) + content;
        Ok((self.rest.len() - begin >= length).then_some(length))
    }

    fn path(&self, name: &[u8]) -> Result<PathBuf, String> {
        let plain = |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        std::str::from_utf8(name)
            .ok()
            .filter(|name| {
                let end = name.rsplit_once('.');
                let known = end.filter(|(_, ending)| ENDINGS.contains(ending));
                let table = known.and_then(|(stem, _)| stem.strip_suffix(self.point_id));
                table.and_then(|table| table.strip_suffix('-')).is_some_and(plain)
            })
            .map(|name| self.out.join(name))
            .ok_or_else(foreign)
    }
}

fn foreign() -> String {
    "the point's program writes where only tables of the simulator belong".into()
}
