//! The copy of the runtime library of Fortran, once it is loaded with its program.

#![expect(unsafe_code, reason = "asks the loader")]

use super::Built;
use super::constructors;
use super::globals;
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::ffi::{c_char, c_int, c_void};
use std::fs;
use std::ops::Range;
use std::path::Path;

/// Libraries find functions in the program before those of the process: `exit` of a rank.
const RTLD_DEEPBIND: c_int = 8;
const RTLD_NOLOAD: c_int = 4;
const RTLD_DI_LINKMAP: c_int = 2;

/// The begin of what the loader knows of a library.
#[repr(C)]
struct LinkMap {
    base: usize,
    name: *const c_char,
}

unsafe extern "C" {
    fn dlinfo(library: *mut c_void, request: c_int, answer: *mut c_void) -> c_int;
}

/// How a program is loaded.
pub fn mode(built: &Built) -> c_int {
    let own = if built.runtime().is_some() { RTLD_DEEPBIND } else { 0 };
    RTLD_NOW | RTLD_LOCAL | own
}

/// A runtime library: what each rank has of it.
pub struct Runtime {
    pub base: usize,
    /// Offsets from the base, as those of a program are.
    pub constructors: Range<usize>,
    writable: Vec<Range<usize>>,
}

impl Runtime {
    /// That of a program that is loaded.
    pub fn of(path: &Path) -> Result<Self, String> {
        let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let bytes = fs::read(path).map_err(|error| failed(&error))?;
        let file = object::File::parse(&*bytes).map_err(|error| failed(&error))?;
        // SAFETY: the library is loaded already.
        let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD) };
        let handle = library.map_err(|error| failed(&error))?.into_raw();
        let mut map: *const LinkMap = std::ptr::null();
        let place: *mut *const LinkMap = &mut map;
        // SAFETY: the handle is that of an open library; the answer is an address.
        let code = unsafe { dlinfo(handle, RTLD_DI_LINKMAP, place.cast()) };
        // SAFETY: the handle comes from a library, which the program keeps.
        drop(unsafe { Library::from_raw(handle) });
        if code != 0 || map.is_null() {
            return Err(failed(&"the loader does not say where it lies"));
        }
        // SAFETY: the loader keeps it as long as the library is loaded.
        let base = unsafe { (*map).base };
        let constructors = constructors::of_file(&file);
        Ok(Self { base, constructors, writable: globals::writable(&file) })
    }

    /// Its variables, as addresses.
    pub fn variables(&self) -> Vec<Range<usize>> {
        let ranges = self.writable.iter();
        ranges.map(|range| self.base + range.start..self.base + range.end).collect()
    }
}
