//! `MPI_Sizeof`, which only Fortran has: a procedure for each type whose size the compiler knows.

use std::fmt::Write;

/// Bytes of the numbers of each type, which are also their kinds in `gfortran`.
const TYPES: [(&str, &[u32]); 4] = [
    ("integer", &[1, 2, 4, 8, 16]),
    ("logical", &[1, 2, 4, 8, 16]),
    ("real", &[4, 8, 16]),
    ("complex", &[4, 8, 16]),
];
/// The kind of C's `long double`, which only this processor has beside the others, and its bytes.
const LONG: Option<(u32, u32)> = if cfg!(target_arch = "x86_64") { Some((10, 16)) } else { None };

/// The begin of a module: all procedures have one name.
pub fn interface() -> String {
    let mut text = String::from("  interface MPI_Sizeof\n");
    for (kind, _) in kinds() {
        writeln!(text, "    module procedure {}", name(&kind)).expect("text can grow");
    }
    text + "  end interface\n"
}

/// What a module contains. `error` is optional in `mpi_f08`.
pub fn procedures(is_f08: bool) -> String {
    let optional = if is_f08 { ", optional" } else { "" };
    let mut text = String::new();
    for (kind, bytes) in kinds() {
        let name = name(&kind);
        let end = if is_f08 { "if (present(ierror)) " } else { "" };
        writeln!(
            text,
            "  subroutine {name}(x, size, ierror)\n    {kind}, intent(in) :: x(..)\n    \
             integer, intent(out) :: size\n    integer{optional}, intent(out) :: ierror\n    \
             size = {bytes}\n    {end}ierror = MPI_SUCCESS\n  end subroutine"
        )
        .expect("text can grow");
    }
    text
}

/// All types with their bytes. A complex number is two of its kind.
fn kinds() -> Vec<(String, u32)> {
    let mut all = vec![("character".to_string(), 1)];
    for (name, sizes) in TYPES {
        let parts = if name == "complex" { 2 } else { 1 };
        let is_exact = ["integer", "logical"].contains(&name);
        let kinds = sizes.iter().map(|&bytes| (bytes, bytes));
        let long = LONG.filter(|_| !is_exact);
        all.extend(
            kinds.chain(long).map(|(kind, bytes)| (format!("{name}({kind})"), parts * bytes)),
        );
    }
    all
}

fn name(kind: &str) -> String {
    format!("mgen_sizeof_{}", kind.replace('(', "_").replace(')', ""))
}
