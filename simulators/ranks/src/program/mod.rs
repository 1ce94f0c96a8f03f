//! Compiles and loads C programs, keeps the globals of ranks apart, and calls the program once per rank.
//!
//! The ranks share the C library: `stdio`, the heap, `rand`, `errno`, `strtok`.

#![expect(unsafe_code, reason = "loads and calls code of others")]

mod build;
mod compiler;
mod embedded;
mod globals;
mod private;
mod source;
mod words;

pub use build::Built;
pub use source::Source;

use globals::Globals;
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use private::PrivateGlobals;
use std::ffi::{CString, c_char, c_int, c_void};
use std::rc::Rc;

use crate::coroutines::Ranks;

type Main = unsafe extern "C" fn(c_int, *mut *mut c_char) -> c_int;
type Bind = unsafe extern "C" fn(*const c_void);

unsafe extern "C" {
    /// State of `getopt`, which all ranks share; 0 makes it begin anew.
    static mut optind: c_int;
}

/// A program that is loaded and bound to the simulator.
pub struct Program {
    main: Main,
    base: usize,
    globals: Globals,
    /// Bytes of the globals after loading.
    initial: Box<[u8]>,
    _library: Library,
}

impl Program {
    /// Loads a compiled program and binds it to `host`.
    ///
    /// # Errors
    /// Reports what the loader says, and which globals cannot be kept apart.
    ///
    /// # Safety
    /// `host` points to the simulator's `struct mgen_host`, which is never freed. The program may
    /// do what this process may: [`crate::confine`] comes first.
    pub unsafe fn load(built: &Built, host: *const c_void) -> Result<Rc<Self>, String> {
        let path = built.library();
        let globals = Globals::read(path)?;
        let failed = |error: libloading::Error| format!("{}: {error}", path.display());
        // SAFETY: constructors of the library are the program's own.
        let library =
            unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }.map_err(failed)?;
        // SAFETY: programs/lib/ defines it with this type.
        let bind = *unsafe { library.get::<Bind>(b"mgen_bind") }.map_err(failed)?;
        // SAFETY: both are declared so by the headers.
        let main = unsafe { library.get::<Main>(b"MGEN_Main").or_else(|_| library.get(b"main")) };
        let main = *main.map_err(|_| {
            format!("{} has neither MGEN_Main nor, with mpi.h, main", built.source().display())
        })?;
        // SAFETY: `host` is what the caller promised.
        unsafe { bind(host) };
        let base = bind as usize - globals.bind;
        let parts = globals.ranges.iter().map(|range| {
            // SAFETY: the section is mapped at `base` plus its address.
            unsafe { std::slice::from_raw_parts((base + range.offset) as *const u8, range.bytes) }
        });
        let initial = parts.collect::<Vec<_>>().concat().into();
        Ok(Rc::new(Self { main, base, globals, initial, _library: library }))
    }

    /// Prepares a run of the program by `count` ranks. The first of `arguments` is the program's name.
    ///
    /// # Errors
    /// When the stacks or the globals of so many ranks take too much memory.
    pub fn ranks(
        self: &Rc<Self>,
        arguments: &[String],
        count: u32,
        stack_bytes: usize,
    ) -> Result<Ranks, String> {
        self.globals.check(count)?;
        let program = Rc::clone(self);
        let words = arguments.iter().map(|word| CString::new(word.as_str()));
        let words: Vec<CString> =
            words.collect::<Result<_, _>>().map_err(|_| "an argument holds a zero byte")?;
        let ranks = Ranks::new(move |_| program.run(&words), count, stack_bytes)?;
        if self.globals.ranges.is_empty() {
            return Ok(ranks);
        }
        // SAFETY: the ranges are those of the library, which lives as long as the ranks' body does.
        let memory =
            unsafe { PrivateGlobals::new(self.base, &self.globals.ranges, &self.initial, count) };
        Ok(ranks.with_memory(Box::new(memory)))
    }

    /// Every rank has arguments of its own: C programs may change them.
    fn run(&self, words: &[CString]) -> i32 {
        let mut own: Vec<Vec<u8>> =
            words.iter().map(|word| word.to_bytes_with_nul().to_vec()).collect();
        let starts = own.iter_mut().map(|word| word.as_mut_ptr().cast());
        let mut places: Vec<*mut c_char> = starts.chain([std::ptr::null_mut()]).collect();
        // SAFETY: all ranks run on one thread, and no rank is inside `getopt` when another begins.
        unsafe { optind = 0 };
        // SAFETY: the arguments end with NULL and live until the call returns; the program is trusted.
        unsafe { (self.main)(words.len() as c_int, places.as_mut_ptr()) }
    }
}
