//! Compiles and loads C, C++ and Fortran programs, keeps the globals of ranks apart, and calls the program once per
//! rank.
//!
//! The ranks share the C library: `stdio`, the heap, the locale. The functions of
//! `programs/lib/simulated` replace some of its functions by others with globals, which ranks do not share.

#![expect(unsafe_code, reason = "loads and calls code of others")]

mod build;
mod cache;
mod compiler;
mod constructors;
mod embedded;
mod file_error;
mod flags;
mod fortran;
mod globals;
mod identity;
mod loaded;
mod locals;
mod pages;
mod private;
mod runtime;
mod source;
mod sums;
mod teams;
mod words;
mod wrapper;

pub use build::Built;
pub use source::{Build, Source};
pub use teams::Team;
pub use wrapper::compile;

use globals::Globals;
use libloading::os::unix::Library;
use loaded::Runtime;
use locals::Locals;
use private::Snapshot;
use std::ffi::{CString, c_char, c_int, c_void};
use std::ops::Range;
use std::rc::Rc;

use crate::coroutines::Ranks;
use crate::watch::note;

/// Most memory for copies of the globals of all ranks together.
const MAX_TOTAL_BYTES: usize = 4 << 30;

type Main = unsafe extern "C" fn(c_int, *mut *mut c_char) -> c_int;
type Bind = unsafe extern "C" fn(*const c_void);
type End = unsafe extern "C" fn();
type Constructor = unsafe extern "C" fn(c_int, *mut *mut c_char, *mut *mut c_char);
type Exceptions = unsafe extern "C" fn() -> *mut c_void;

/// Bytes of what the C++ runtime keeps about exceptions that are being handled: a pointer and a number.
const EXCEPTION_BYTES: usize = 16;

/// A variable of a thread, by the module that holds it.
#[repr(C)]
struct ThreadVariable {
    module: usize,
    offset: usize,
}

unsafe extern "C" {
    static mut environ: *mut *mut c_char;
    /// Where a variable of this thread lies; it allocates the variables of the module.
    fn __tls_get_addr(variable: *const ThreadVariable) -> *mut c_void;
    fn dlinfo(library: *mut c_void, request: c_int, answer: *mut c_void) -> c_int;
}

const RTLD_DI_TLS_MODID: c_int = 9;

/// A program that is loaded and bound to the simulator.
pub struct Program {
    main: Main,
    is_plain: bool,
    end: End,
    constructors: Vec<Constructor>,
    globals: Globals,
    /// What ranks have for themselves, after loading.
    initial: Snapshot,
    _library: Library,
}

impl Program {
    /// Loads a compiled program and binds it to `host`.
    ///
    /// # Errors
    /// Reports what the loader says.
    ///
    /// # Safety
    /// `host` points to the simulator's `struct mgen_host`, which is never freed. The program may
    /// do what this process may: [`crate::confine`] comes first.
    pub unsafe fn load(built: &Built, host: *const c_void) -> Result<Rc<Self>, String> {
        let path = built.library();
        let globals = Globals::read(path)?;
        let failed = |error: libloading::Error| format!("{}: {error}", path.display());
        // SAFETY: the loader runs no code of the library: its constructors were set aside.
        let library = unsafe { Library::open(Some(path), loaded::mode(built)) }.map_err(failed)?;
        // SAFETY: programs/lib/ defines both with these types.
        let bind = *unsafe { library.get::<Bind>(b"mgen_bind") }.map_err(failed)?;
        // SAFETY: as above.
        let end = *unsafe { library.get::<End>(b"mgen_end") }.map_err(failed)?;
        // SAFETY: both are declared so by the headers.
        let main = unsafe { library.get::<Main>(b"MGEN_Main") };
        let is_plain = main.is_err();
        // SAFETY: as above.
        let main = unsafe { main.or_else(|_| library.get(b"main")) };
        let main = *main.map_err(|_| {
            format!("{} has neither MGEN_Main nor, with mpi.h, main", built.source().display())
        })?;
        // SAFETY: `host` is what the caller promised.
        unsafe { bind(host) };
        let base = bind as usize - globals.bind;
        let mut constructors = constructors_at(base, &globals.constructors);
        let own = globals.ranges.iter().map(|range| base + range.start..base + range.end);
        // SAFETY: the library of this program; `own` are its sections, which stay as long as it does.
        let (library, own, locals) = unsafe {
            let (library, beside) = beside_globals(library, &globals)?;
            let locals = Locals::of(&beside);
            (library, own.chain(beside).collect::<Vec<_>>(), locals)
        };
        let runtime = built.runtime().map(Runtime::of).transpose()?;
        let own = match &runtime {
            Some(runtime) => {
                constructors.splice(0..0, constructors_at(runtime.base, &runtime.constructors));
                [own, runtime.variables()].concat()
            }
            None => own,
        };
        // SAFETY: the library lives as long as the snapshot.
        let mut initial = unsafe { Snapshot::of(&own) };
        initial.locals = locals;
        if !globals.shared.is_empty() {
            let shared = globals.shared.join(", ");
            note(&format!("ranks share the C library's state behind {shared}"));
        }
        Ok(Rc::new(Self { main, is_plain, end, constructors, globals, initial, _library: library }))
    }

    /// Whether it is a plain MPI program, which begins at `main`.
    pub fn is_plain(&self) -> bool {
        self.is_plain
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
        Self::teams(&[Team { program: self, arguments, ranks: count }], stack_bytes)
    }

    /// Checks that so many ranks can have copies of the globals.
    fn check(&self, ranks: u32) -> Result<(), String> {
        let bytes = self.initial.copied_bytes();
        if bytes.saturating_mul(ranks as usize) <= MAX_TOTAL_BYTES {
            return Ok(());
        }
        Err(format!(
            "the program has {bytes} B of writable globals for each of {ranks} ranks, at most \
             {MAX_TOTAL_BYTES} B in all can be kept apart; largest: {}; allocate them in MGEN_Main, \
             make them const, or make them smaller",
            self.globals.largest()
        ))
    }

    /// Every rank has arguments of its own: C programs may change them.
    fn run(&self, words: &[CString]) -> i32 {
        let mut own: Vec<Vec<u8>> =
            words.iter().map(|word| word.to_bytes_with_nul().to_vec()).collect();
        let starts = own.iter_mut().map(|word| word.as_mut_ptr().cast());
        let mut places: Vec<*mut c_char> = starts.chain([std::ptr::null_mut()]).collect();
        let (count, places) = (words.len() as c_int, places.as_mut_ptr());
        for constructor in &self.constructors {
            // SAFETY: a function of the program, which has not begun in this rank.
            unsafe { constructor(count, places, environ) };
        }
        // SAFETY: the arguments end with NULL and live until the call returns; the program is trusted.
        let code = unsafe { (self.main)(count, places) };
        // SAFETY: the rank has ended; the function calls what it registered for its end.
        unsafe { (self.end)() };
        code
    }
}

fn constructors_at(base: usize, place: &Range<usize>) -> Vec<Constructor> {
    let entries = place.clone().step_by(size_of::<usize>()).map(|offset| {
        // SAFETY: a word of the library's list, which the loader has filled.
        unsafe { ((base + offset) as *const usize).read() }
    });
    // Old tools end the list with one of these.
    let functions = entries.filter(|entry| ![0, usize::MAX].contains(entry));
    // SAFETY: the list holds functions of this type.
    functions.map(|entry| unsafe { std::mem::transmute::<usize, Constructor>(entry) }).collect()
}

/// Memory that belongs to a rank beside the program's own globals: variables of the thread, `errno`,
/// exceptions that are being handled. The library goes through a handle and comes back.
///
/// # Safety
/// `globals` must be those of the library.
unsafe fn beside_globals(
    library: Library,
    globals: &Globals,
) -> Result<(Library, Vec<Range<usize>>), String> {
    let mut found = vec![];
    let from = |start: usize, bytes: usize| start..start + bytes;
    if globals.has_errno {
        // SAFETY: every thread has one.
        found.push(from(unsafe { libc::__errno_location() } as usize, size_of::<c_int>()));
    }
    if globals.catches {
        // SAFETY: the C++ runtime defines it with this type.
        let place = unsafe { library.get::<Exceptions>(b"__cxa_get_globals") };
        if let Ok(place) = place {
            // SAFETY: as above.
            found.push(from(unsafe { place() } as usize, EXCEPTION_BYTES));
        }
    }
    let handle = library.into_raw();
    if globals.thread_bytes > 0 {
        let mut variable = ThreadVariable { module: 0, offset: 0 };
        let module: *mut usize = &mut variable.module;
        // SAFETY: the handle is that of an open library; the answer is a number.
        let code = unsafe { dlinfo(handle, RTLD_DI_TLS_MODID, module.cast()) };
        if code != 0 || variable.module == 0 {
            return Err(
                "the loader does not say where the program's thread-local variables lie".into()
            );
        }
        // SAFETY: the module exists, and has these bytes of this thread.
        found.push(from(unsafe { __tls_get_addr(&variable) } as usize, globals.thread_bytes));
    }
    // SAFETY: the handle comes from a library.
    Ok((unsafe { Library::from_raw(handle) }, found))
}
