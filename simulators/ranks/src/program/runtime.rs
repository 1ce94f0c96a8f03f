//! The runtime library of Fortran. It knows the open files, what was printed last, the arguments: all that
//! a rank has for itself. So every program has a copy of it beside itself, under a name of its own, and
//! every rank has the variables of that copy.
//!
//! It is no part of the program, because compilers bring it as an archive that no shared library can hold.

use super::compiler::{Compiler, Language};
use super::constructors;
use super::file_error::at;
use super::identity::hash;
use object::{Object, ObjectSection};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// How the library's name begins.
const NAME: &[u8] = b"libgfortran.so.";
/// How the names of copies begin, which are as long.
const COPY: &[u8] = b"weftfort";

/// Puts a copy of the library beside a program that needs it.
pub fn copy_beside(program: &Path) -> Result<(), String> {
    let mut bytes = fs::read(program).map_err(at(program))?;
    let Some(place) = name_in(&bytes, NAME) else { return Ok(()) };
    let name = String::from_utf8_lossy(&bytes[place.clone()]).into_owned();
    let original = Compiler::find(Language::Fortran)?.file(&name)?;
    let mut copy = fs::read(&original).map_err(at(&original))?;
    let digest = hash([("program", &*bytes)].into_iter());
    let mut own = [COPY, digest.as_bytes()].concat();
    own.truncate(place.len());
    bytes[place].copy_from_slice(&own);
    let place = name_in(&copy, NAME).filter(|place| place.len() == own.len());
    let place = place.ok_or_else(|| format!("{} has another name", original.display()))?;
    copy[place].copy_from_slice(&own);
    let beside = program.with_file_name(String::from_utf8_lossy(&own).as_ref());
    fs::write(&beside, copy).map_err(at(&beside))?;
    constructors::set_aside(&beside)?;
    fs::write(program, bytes).map_err(at(program))
}

/// The copy beside a program, if it has one.
pub fn beside(program: &Path) -> Result<Option<PathBuf>, String> {
    let bytes = fs::read(program).map_err(at(program))?;
    let name =
        name_in(&bytes, COPY).map(|place| String::from_utf8_lossy(&bytes[place]).into_owned());
    Ok(name.map(|name| program.with_file_name(name)))
}

/// Where, among the names that the loader reads, one begins so.
fn name_in(bytes: &[u8], begin: &[u8]) -> Option<Range<usize>> {
    let file = object::File::parse(bytes).ok()?;
    let (start, length) = file.section_by_name(".dynstr")?.file_range()?;
    let mut place = start as usize;
    for name in bytes.get(place..place + length as usize)?.split(|byte| *byte == 0) {
        if name.starts_with(begin) {
            return Some(place..place + name.len());
        }
        place += name.len() + 1;
    }
    None
}
