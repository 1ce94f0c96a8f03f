"""Compiling programs of several files with the machine's MPI: languages, flags, libraries."""

from __future__ import annotations

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
#: Those of the experiment come behind them.
PART_FLAGS = ("-O2", "-fPIC")
#: Without unique symbols a shared object can be loaded anew for each repetition.
_OF_CPP = ("-fno-gnu-unique",)
#: A macro for exit would break <cstdlib>, so the linker renames it.
_SHARED = ("-shared", "-Wl,-Bsymbolic", "-Wl,--wrap=exit")
#: No other library may use what a program defines: that would keep the program in memory.
EXPORTS = b"{ global: main; local: *; };\n"
#: File of EXPORTS, beside what it is for.
EXPORTS_FILE = "exports.map"
#: Compilers of C++ by the names of those of C.
_CPP = {"mpicc": "mpicxx", "mpiicc": "mpiicpc", "mpiicx": "mpiicpx", "cc": "CC"}
#: Flags that a linker needs, too.
_OF_THE_LINKER = ("-fopenmp", "-pthread")


def is_cpp(program: ProgramSource) -> bool:
    """Whether the program is C++."""
    return program.build is not None and program.build["language"] == "c++"


def cpp_compiler(mpicc: Path) -> Path:
    """The C++ compiler of the MPI whose C compiler this is: `mpicxx.mpich` beside `mpicc.mpich`.

    Raises MeasurementError when there is none.
    """
    name, dot, flavour = mpicc.name.partition(".")
    found = mpicc.with_name(f"{_CPP.get(name, 'mpicxx')}{dot}{flavour}")
    if not found.is_file():
        raise MeasurementError(f"there is no C++ compiler {found} beside {mpicc}")
    return found


def own_build_variables(compiler: Path) -> dict[str, str]:
    """What makes `weft-cc` of a project's own build a compiler of shared objects with the machine's
    MPI; `{files}` is the folder in which EXPORTS lies."""
    compiling = ["-fPIC", *_OF_CPP, *_renamed()]
    linking = [*_SHARED, f"-Wl,--version-script={{files}}/{EXPORTS_FILE}", "-lm"]
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
        """What the linker is told behind all objects."""
        flags = self.build["flags"]
        own = [flag for flag in flags if flag.startswith("-l") or flag in _OF_THE_LINKER]
        return [*own, "-lstdc++"] if self._is_cpp else own

    @property
    def _is_cpp(self) -> bool:
        return self.build["language"] == "c++"

    def words(self, root: Path) -> list[str]:
        """Flags, macros, and the folders of headers below `root`."""
        own = [flag for flag in self.build["flags"] if not flag.startswith("-l")]
        macros = [f"-D{macro}" for macro in self.build["defines"]]
        return [*own, *macros, *(f"-I{root / folder}" for folder in self.build["include"])]

    def shared_object(self, exports: Path) -> list[str]:
        """Of a plain program, which becomes a shared object; `exports` holds EXPORTS."""
        words = [word for source in self.build["sources"] for word in self._source(source)]
        end = ["-x", "none"] if self._is_cpp else []
        shared = [*_SHARED, f"-Wl,--version-script={exports.absolute()}"]
        return [*self._flags(), *shared, *_renamed(), *words, *end, *self.libraries, "-lm"]

    def one_object(self, source: str, runners: Path) -> list[str]:
        """Of one file of a program of MGEN; `runners` is the folder of the runners."""
        programs = runners.parent / "programs"
        # The simulator's mpi.h lies there, too: the MPI's own comes first.
        folders = [f"-idirafter{(programs / 'include').absolute()}"]
        return [*self._flags(), "-DMGEN_OVER_MPI", *folders, "-c", *self._source(source)]

    def _flags(self) -> list[str]:
        """The compiler runs where the files lie: its messages have paths from the project."""
        return [*PART_FLAGS, *(_OF_CPP if self._is_cpp else ()), *self.words(Path())]

    def _source(self, path: str) -> list[str]:
        """A file, with its language where the compiler is that of C++."""
        if not self._is_cpp:
            return [path]
        return ["-x", "c" if path.endswith(".c") else "c++", path]
