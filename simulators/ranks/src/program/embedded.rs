//! What every program is compiled and linked with, made part of this executable by `build.rs`: an
//! installed simulator needs no source tree, and no program waits until the calls of MPI are compiled.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
/// The calls and collectives of `programs/lib` as one object.
pub const LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/library.o"));
/// The same, and the calls of Fortran, with functions that the runtime library of Fortran finds.
pub const FORTRAN_LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/fortran_library.o"));
/// The constants of MPI for Fortran.
pub const MPIF: &str = include_str!(concat!(env!("OUT_DIR"), "/mpif.h"));
/// The modules of MPI.
pub const MODULES: &str = include_str!(concat!(env!("OUT_DIR"), "/mpi.f90"));
