//! The modules of MPI for Fortran, which each compiler has in a form of its own.

use super::cache::cached;
use super::compiler::Compiler;
use super::embedded::{DIGEST, MODULES};
use super::file_error::at;
use super::identity::hash;
use std::fs;
use std::path::{Path, PathBuf};

/// The file that is there when all are.
const MADE: &str = "mpi.mod";
const SOURCE: &str = "mpi.f90";
/// What programs are linked with: functions of the modules.
pub const OBJECT: &str = "mpi.o";

/// The folder of the modules, below `library`; `include` is the folder of `mpif.h`.
pub fn modules(library: &Path, include: &Path, compiler: &Compiler) -> Result<PathBuf, String> {
    let own = [("compiler", compiler.identity.as_bytes()), ("library", DIGEST.as_bytes())];
    let folder = library.join(format!("fortran-{}", hash(own.into_iter())));
    cached(&folder, MADE, |folder| {
        let source = folder.join(SOURCE);
        fs::write(&source, MODULES).map_err(at(&source))?;
        let (constants, copy) = (include.join("mpif.h"), folder.join("mpif.h"));
        fs::copy(&constants, &copy).map_err(at(&copy))?;
        compiler.compile_module(folder, SOURCE)
    })?;
    Ok(folder)
}
