//! The modules `mpi` and `mpi_f08`, made from the headers of C. Both call the same functions: a handle of
//! `mpi_f08` is a structure of one number.
//!
//! C does not say which arguments are arrays, or truths, so the compiler checks the number of arguments,
//! the texts, and in `mpi_f08` the kinds of handles.

use super::fortran::Call;
use super::sizes;
use std::fmt::Write;

/// Kinds of handles, with the constants that have no header of their own.
const HANDLES: [(&str, &str); 10] = [
    ("Comm", "COMM_NULL COMM_WORLD COMM_SELF"),
    ("Datatype", "DATATYPE_NULL"),
    ("Errhandler", "ERRHANDLER_NULL ERRORS_ARE_FATAL ERRORS_RETURN"),
    ("File", "FILE_NULL"),
    ("Group", "GROUP_NULL GROUP_EMPTY"),
    ("Info", "INFO_NULL INFO_ENV"),
    ("Message", "MESSAGE_NULL MESSAGE_NO_PROC"),
    ("Op", "OP_NULL SUM PROD MAX MIN LAND LOR LXOR BAND BOR BXOR MAXLOC MINLOC REPLACE NO_OP"),
    ("Request", "REQUEST_NULL"),
    ("Win", "WIN_NULL"),
];

/// Both modules. `printed` holds the constants, `datatypes` is the header of datatypes.
pub fn modules(calls: &[Call], printed: &str, datatypes: &str) -> String {
    let mut text = String::from(
        "! Made from the headers of C.\nmodule mpi\n  implicit none\n  public\n  \
         include 'mpif.h'\n  interface\n",
    );
    for call in calls.iter().filter(|call| call.result == "int") {
        text += &interface(call, false);
    }
    text += "  end interface\n";
    text += &sizes::interface();
    write!(text, "contains\n{}end module mpi\n\n", sizes::procedures(false))
        .expect("text can grow");
    // Programs take these from the module, as they can from those of MPI libraries.
    text += "module mpi_f08\n  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer\n  \
             implicit none\n  public\n";
    for (kind, _) in HANDLES {
        writeln!(text, "  type, bind(C) :: MPI_{kind}\n    integer :: MPI_VAL\n  end type")
            .expect("text can grow");
    }
    text += OF_F08;
    for line in printed.lines() {
        let [name, kind, value] = line.split(' ').collect::<Vec<_>>()[..] else { continue };
        let of = handle(name, datatypes);
        match (of, kind) {
            (Some(of), _) => {
                writeln!(text, "  type(MPI_{of}), parameter :: {name} = MPI_{of}({value})")
            }
            (None, "wide") => writeln!(text, "  integer(8), parameter :: {name} = {value}_8"),
            _ => writeln!(text, "  integer, parameter :: {name} = {value}"),
        }
        .expect("text can grow");
    }
    for operator in ["==", "/="] {
        let word = if operator == "==" { "equal" } else { "unequal" };
        writeln!(text, "  interface operator ({operator})").expect("text can grow");
        for (kind, _) in HANDLES {
            writeln!(text, "    procedure {word}_{kind}").expect("text can grow");
        }
        text += "  end interface\n";
    }
    text += "  interface\n";
    for call in calls.iter().filter(|call| call.result == "int") {
        text += &interface(call, true);
    }
    text += "  end interface\n";
    text += &sizes::interface();
    text += "contains\n";
    text += &sizes::procedures(true);
    for (word, operator) in [("equal", "=="), ("unequal", "/=")] {
        for (kind, _) in HANDLES {
            writeln!(
                text,
                "  elemental logical function {word}_{kind}(a, b)\n    \
                 type(MPI_{kind}), intent(in) :: a, b\n    \
                 {word}_{kind} = a%MPI_VAL {operator} b%MPI_VAL\n  end function"
            )
            .expect("text can grow");
        }
    }
    text + "end module mpi_f08\n"
}

/// What `mpi_f08` has and C has not, or has otherwise.
const OF_F08: &str = "\
  type, bind(C) :: MPI_Status
    integer :: MPI_SOURCE, MPI_TAG, MPI_ERROR
    integer, private :: space, low, high
  end type
  integer, parameter :: MPI_ADDRESS_KIND = 8, MPI_OFFSET_KIND = 8, MPI_COUNT_KIND = 8
  integer, parameter :: MPI_INTEGER_KIND = 4
  logical, parameter :: MPI_SUBARRAYS_SUPPORTED = .false.
  logical, parameter :: MPI_ASYNC_PROTECTS_NONBLOCKING = .false.
  integer :: MPI_BOTTOM, MPI_IN_PLACE, MPI_UNWEIGHTED(1), MPI_WEIGHTS_EMPTY(1)
  integer :: MPI_ERRCODES_IGNORE(1)
  type(MPI_Status) :: MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE(1)
  bind(C, name='mgen_bottom_') :: MPI_BOTTOM
  bind(C, name='mgen_in_place_') :: MPI_IN_PLACE
  bind(C, name='mgen_unweighted_') :: MPI_UNWEIGHTED
  bind(C, name='mgen_weights_empty_') :: MPI_WEIGHTS_EMPTY
  bind(C, name='mgen_errcodes_ignore_') :: MPI_ERRCODES_IGNORE
  bind(C, name='mgen_status_ignore_') :: MPI_STATUS_IGNORE
  bind(C, name='mgen_statuses_ignore_') :: MPI_STATUSES_IGNORE
  double precision, external :: MPI_Wtime, MPI_Wtick
  integer(8), external :: MPI_Aint_add, MPI_Aint_diff
  external :: MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, MPI_COMM_DUP_FN
  external :: MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, MPI_TYPE_DUP_FN
  external :: MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, MPI_WIN_DUP_FN
";

/// The kind of handle that a constant is.
fn handle(name: &str, datatypes: &str) -> Option<&'static str> {
    let own = name.strip_prefix("MPI_")?;
    if datatypes.contains(&format!("#define {name} ")) {
        return Some("Datatype");
    }
    let of = HANDLES.iter().find(|(_, names)| names.split(' ').any(|each| each == own));
    of.map(|(kind, _)| *kind)
}

/// A call as a module declares it. `error` is optional in `mpi_f08`.
fn interface(call: &Call, is_f08: bool) -> String {
    let kinds = call.fortran_kinds();
    let names: Vec<String> = (0..kinds.len()).map(|i| format!("a{i}")).collect();
    let has_error = call.name != "MPI_Pcontrol";
    let list: Vec<String> =
        names.iter().cloned().chain(has_error.then(|| "ierror".into())).collect();
    // A line of the free form has 132 letters.
    let mut text = format!("    subroutine {}({})\n", call.name, list.join(",&\n      "));
    if is_f08 {
        text += "      import\n";
    }
    for (name, kind) in names.iter().zip(&kinds) {
        let of = HANDLES.iter().find(|(of, _)| kind.strip_prefix("MPI_") == Some(of));
        match (kind.as_str(), of) {
            ("text", _) => writeln!(text, "      character(*) :: {name}"),
            ("function", _) => writeln!(text, "      external :: {name}"),
            (_, Some((of, _))) if is_f08 => writeln!(text, "      type(MPI_{of}) :: {name}"),
            _ => writeln!(
                text,
                "      !GCC$ ATTRIBUTES NO_ARG_CHECK :: {name}\n      type(*), dimension(*) :: {name}"
            ),
        }
        .expect("text can grow");
    }
    if has_error {
        let optional = if is_f08 { ", optional" } else { "" };
        writeln!(text, "      integer{optional} :: ierror").expect("text can grow");
    }
    text + "    end subroutine\n"
}
