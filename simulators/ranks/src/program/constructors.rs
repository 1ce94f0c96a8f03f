//! Constructors of a program: every rank runs them for itself, so that what they allocate is its own.

use object::{Object, ObjectSection};
use std::fs;
use std::ops::Range;
use std::path::Path;

/// Tags of the dynamic section: how many bytes of functions the loader calls, at first and at the end.
const SIZES: [u64; 2] = [27, 28];
/// Bytes of a tag, and of its value.
const WORD: usize = size_of::<u64>();

/// Keeps the loader from calling the constructors and destructors of a shared library.
pub fn set_aside(library: &Path) -> Result<(), String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", library.display());
    let mut bytes = fs::read(library).map_err(|error| failed(&error))?;
    let dynamic = {
        let file = object::File::parse(&*bytes).map_err(|error| failed(&error))?;
        let section = file.section_by_name(".dynamic").and_then(|found| found.file_range());
        let Some((start, length)) = section else { return Ok(()) };
        start as usize..(start + length) as usize
    };
    if empty(&mut bytes, dynamic) {
        fs::write(library, bytes).map_err(|error| failed(&error))?;
    }
    Ok(())
}

/// Sets the sizes to 0. Returns whether one was not.
fn empty(bytes: &mut [u8], dynamic: Range<usize>) -> bool {
    let mut changed = false;
    let Some(entries) = bytes.get_mut(dynamic) else { return false };
    for entry in entries.chunks_exact_mut(2 * WORD) {
        let (tag, value) = entry.split_at_mut(WORD);
        let tag = u64::from_ne_bytes(tag.try_into().expect("a word"));
        if SIZES.contains(&tag) {
            changed |= value.iter().any(|&byte| byte != 0);
            value.fill(0);
        }
    }
    changed
}

/// Where the constructors stand in a shared library, as offsets from where it is loaded.
pub fn of_file<'d>(file: &object::File<'d>) -> Range<usize> {
    let section = file.section_by_name(".init_array");
    section.map_or(0..0, |s| s.address() as usize..(s.address() + s.size()) as usize)
}
