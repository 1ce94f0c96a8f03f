"""Compiling programs of several files with the machine's MPI: languages, flags, libraries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from weft.engines.hardware.errors import MeasurementError
from weft.engines.hardware.source import ProgramSource

if TYPE_CHECKING:
    from weft.plan.spec import BuildSpec

#: The functions by which the runner stands between a plain program and MPI.
RENAMED = {
    "MPI_Init": "weft_init",
    "MPI_Init_thread": "weft_init_thread",
    "MPI_Finalize": "weft_finalize",
    "MPI_Initialized": "weft_initialized",
    "MPI_Finalized": "weft_finalized",
    "exit": "weft_exit",
}
#: Functions and loops begin with a line of the cache, as in the simulator's build of a program
#: (`flags.rs`). A loop takes up to 9 % longer at another place within a line.
PLACING = ("-falign-functions=64", "-falign-loops=64")
#: Those of the experiment come behind them.
PART_FLAGS = ("-O2", "-fPIC", *PLACING)
#: Without unique symbols a shared object can be loaded anew for each repetition.
_OF_CPP = ("-fno-gnu-unique",)
#: A macro for exit would break <cstdlib>, so the linker renames it.
_SHARED = ("-shared", "-Wl,-Bsymbolic", "-Wl,--wrap=exit")
#: No other library may use what a program defines: that would keep the program in memory.
EXPORTS = b"{ global: main; local: *; };\n"
#: File of EXPORTS, beside what it is for.
EXPORTS_FILE = "exports.map"
#: What the linker leads to the runner in a program of Fortran: the calls of its own files, for
#: which the module mpi_f08 has other names, and those of its files in C. A macro would also change
#: names in files of Fortran that are preprocessed.
_LED = tuple(
    symbol
    for name in RENAMED
    if name.startswith("MPI_")
    for symbol in (name, f"{name.lower()}_", f"{name.lower()}_f08_")
)
_WRAPPED = tuple(f"-Wl,--wrap={symbol}" for symbol in _LED)
#: What the runner defines once it loads the program. Every other function must be there when a
#: program of a Makefile is linked: `configure` finds out by linking which functions there are.
_OF_RUNNER = (*RENAMED.values(), *(f"__wrap_{symbol}" for symbol in ("exit", *_LED)))
_COMPLETE = ("-Wl,-z,defs", *(f"-Wl,--ignore-unresolved-symbol={name}" for name in _OF_RUNNER))
#: A library of MPI for Fortran must see the same constants that are addresses as the program, so
#: that both share them: those of MPICH and of Open MPI.
FORTRAN_EXPORTS = b"{ global: main; mpifcmb*; mpipriv*; mpi_fortran_*; local: *; };\n"
FORTRAN_EXPORTS_FILE = "fortran_exports.map"
_SHARED_FORTRAN = ("-shared", "-Wl,-Bsymbolic-functions", "-Wl,--wrap=exit", *_WRAPPED)
#: As the simulator compiles it; MPI libraries' own compilers allow the same.
_OF_FORTRAN = ("-fallow-argument-mismatch", "-fallow-invalid-boz")
#: Compilers of C++ by the names of those of C, and of Fortran.
_CPP = {"mpicc": "mpicxx", "mpiicc": "mpiicpc", "mpiicx": "mpiicpx", "cc": "CC"}
_FORTRAN = {"mpicc": "mpifort", "mpiicc": "mpiifort", "mpiicx": "mpiifx", "cc": "ftn"}
_FORTRAN_LIBRARY = b"libgfortran.so"
#: Flags that a linker needs, too.
_OF_THE_LINKER = ("-fopenmp", "-pthread")


def is_cpp(program: ProgramSource) -> bool:
    """Whether the program is C++."""
    return program.build is not None and program.build["language"] == "c++"


def is_fortran(program: ProgramSource) -> bool:
    """Whether the program is Fortran; what a Makefile makes of it is not known before."""
    build = program.build
    return build is not None and "make" not in build and build["language"] == "fortran"


def links_fortran(built: Path) -> bool:
    """Whether a shared object needs the runtime library of Fortran, whose name it holds then."""
    return _FORTRAN_LIBRARY in built.read_bytes()


def cpp_compiler(mpicc: Path) -> Path:
    """The C++ compiler of the MPI whose C compiler this is: `mpicxx.mpich` beside `mpicc.mpich`.

    Raises MeasurementError when there is none.
    """
    return _beside(mpicc, _CPP, "C++")


def fortran_compiler(mpicc: Path) -> Path:
    """The same for Fortran: `mpifort.mpich` beside `mpicc.mpich`."""
    return _beside(mpicc, _FORTRAN, "Fortran")


def _beside(mpicc: Path, names: Mapping[str, str], language: str) -> Path:
    name, dot, flavour = mpicc.name.partition(".")
    found = mpicc.with_name(f"{names.get(name, names['mpicc'])}{dot}{flavour}")
    if not found.is_file():
        raise MeasurementError(f"there is no {language} compiler {found} beside {mpicc}")
    return found


def own_build_variables(compiler: Path, is_fortran: bool = False) -> dict[str, str]:
    """What makes `weft-cc` of a project's own build a compiler of shared objects with the machine's
    MPI; `{files}` is the folder in which EXPORTS lies."""
    of_language = _OF_FORTRAN if is_fortran else (*_OF_CPP, *_renamed())
    compiling = ["-fPIC", *PLACING, *of_language]
    shared, exports = (
        (_SHARED_FORTRAN, FORTRAN_EXPORTS_FILE) if is_fortran else (_SHARED, EXPORTS_FILE)
    )
    linking = [*shared, *_COMPLETE, f"-Wl,--version-script={{files}}/{exports}", "-lm"]
    return {
        "WEFT_MPI_COMPILER": str(compiler),
        "WEFT_MPI_COMPILING": "\n".join(compiling),
        "WEFT_MPI_LINKING": "\n".join(linking),
    }


def _renamed() -> list[str]:
    macros = {name: ours for name, ours in RENAMED.items() if name.startswith("MPI_")}
    return [f"-D{name}={ours}" for name, ours in macros.items()]


@dataclass(frozen=True)
class Parts:
    """The compiler's arguments for the files of a program."""

    build: BuildSpec
    is_plain: bool

    @property
    def libraries(self) -> list[str]:
        """The options of the linker behind all objects."""
        flags = self.build["flags"]
        own = [flag for flag in flags if flag.startswith("-l") or flag in _OF_THE_LINKER]
        return [*own, "-lstdc++"] if self._is_cpp else own

    @property
    def _is_cpp(self) -> bool:
        return self.build["language"] == "c++"

    @property
    def is_fortran(self) -> bool:
        """Whether it is compiled by the compiler of Fortran."""
        return self.build["language"] == "fortran"

    @property
    def exports(self) -> tuple[str, bytes]:
        """Name and content of the file that says what the shared object shares."""
        if self.is_fortran:
            return FORTRAN_EXPORTS_FILE, FORTRAN_EXPORTS
        return EXPORTS_FILE, EXPORTS

    def words(self, root: Path) -> list[str]:
        """Flags, macros, and the folders of headers below `root`."""
        own = [flag for flag in self.build["flags"] if not flag.startswith("-l")]
        macros = [f"-D{macro}" for macro in self.build["defines"]]
        return [*own, *macros, *(f"-I{root / folder}" for folder in self.build["include"])]

    def shared_object(self, exports: Path) -> list[str]:
        """Of a plain program, which becomes a shared object; `exports` holds `self.exports`."""
        words = [word for source in self.build["sources"] for word in self._source(source)]
        end = ["-x", "none"] if self._is_cpp else []
        own = _SHARED_FORTRAN if self.is_fortran else _SHARED
        shared = [*own, f"-Wl,--version-script={exports.absolute()}"]
        renamed = [] if self.is_fortran else _renamed()
        return [*self._flags(), *shared, *renamed, *words, *end, *self.libraries, "-lm"]

    def one_object(self, source: str, runners: Path) -> list[str]:
        """Of one file of a program of MGEN; `runners` is the folder of the runners."""
        programs = runners.parent / "programs"
        # The simulator's mpi.h lies there, too: the MPI's own comes first.
        folders = [f"-idirafter{(programs / 'include').absolute()}"]
        return [*self._flags(), "-DMGEN_OVER_MPI", *folders, "-c", *self._source(source)]

    def _flags(self) -> list[str]:
        """The compiler runs where the files lie: its messages have paths from the project."""
        own = _OF_CPP if self._is_cpp else _OF_FORTRAN if self.is_fortran else ()
        return [*PART_FLAGS, *own, *self.words(Path())]

    def _source(self, path: str) -> list[str]:
        """A file, with its language where the compiler is that of C++."""
        if not self._is_cpp:
            return [path]
        return ["-x", "c" if path.endswith(".c") else "c++", path]
