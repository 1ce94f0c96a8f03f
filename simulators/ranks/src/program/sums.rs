//! `SHA256SUMS` in a folder of what was compiled, as `sha256sum` writes it: a folder is used only while
//! every file in the list is what the compiler left.

use super::file_error::at;
use hmac_sha256::Hash;
use std::path::{Path, PathBuf};
use std::{fs, io};

const SUMS: &str = "SHA256SUMS";

/// Writes the list of all files below `folder`.
pub fn write(folder: &Path) -> Result<(), String> {
    let mut files = vec![];
    list(folder, &mut files).map_err(at(folder))?;
    files.sort();
    let mut lines = String::new();
    for file in files {
        let name = file.strip_prefix(folder).unwrap_or(&file).to_string_lossy().into_owned();
        lines += &format!("{}  {name}\n", digest(&file).map_err(at(&file))?);
    }
    let sums = folder.join(SUMS);
    fs::write(&sums, lines).map_err(at(&sums))
}

/// Whether `folder` has a list, and all that is in it.
pub fn are_whole(folder: &Path) -> bool {
    let Ok(lines) = fs::read_to_string(folder.join(SUMS)) else { return false };
    let is_same = |line: &str| {
        let (known, name) = line.split_once("  ")?;
        Some(digest(&folder.join(name)).ok()? == known)
    };
    lines.ends_with('\n') && lines.lines().all(|line| is_same(line) == Some(true))
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn digest(file: &Path) -> io::Result<String> {
    Ok(Hash::hash(&fs::read(file)?).iter().map(|byte| format!("{byte:02x}")).collect())
}
