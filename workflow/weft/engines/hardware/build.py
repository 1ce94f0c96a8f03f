"""Compiling a program with the machine's MPI, once per content."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from weft.confine.compilers import Compilation, UnconfinedError
from weft.engines.failed_builds import THIS_PROCESS, NotBuiltError
from weft.engines.hardware.errors import (
    ALLOWS_UNDECLARED,
    UNDECLARED,
    MeasurementError,
    build_hint,
    compiler_errors,
    last_lines,
)
from weft.engines.hardware.parts import (
    EXPORTS,
    EXPORTS_FILE,
    FORTRAN_EXPORTS,
    FORTRAN_EXPORTS_FILE,
    PART_FLAGS,
    PLACING,
    RENAMED,
    Parts,
    cpp_compiler,
    fortran_compiler,
    is_cpp,
    is_fortran,
    links_fortran,
    own_build_variables,
)
from weft.engines.hardware.source import ProgramSource
from weft.engines.native import compiling_simulator
from weft.engines.own_build import Compilers, built
from weft.files import replacing
from weft.files.tokens import files_digest

FLAGS = ("-std=c11", "-O2", "-Wall", "-Wextra")
#: A program as it is may use what POSIX and GNU offer, and is not ours to warn about. Its own names
#: win over those of the runner and of libraries.
PLAIN_FLAGS = ("-std=gnu11", "-O2", "-fPIC", *PLACING, "-shared", "-Wl,-Bsymbolic")
#: Every flag that decides what machine code is measured.
ALL_FLAGS = (*FLAGS, *PLACING, *PLAIN_FLAGS, *PART_FLAGS)
#: What both runners are made of.
SHARED_SOURCES = (
    "measure.c", "rounds.c", "jumps.c", "session.c", "header.c", "samples.c", "options.c",
    "places.c", "fabric.c", "processor.c", "recorder.c",
)  # fmt: skip
MGEN_SOURCES = (
    "mgen_runner.c", "mgen_messages.c", "mgen_collectives.c", "mgen_puts.c", "over_mpi.c",
)  # fmt: skip
PLAIN_RUNNER = "plain_runner.c"
#: What its runner has beside for Fortran.
FORTRAN_RUNNER, FORTRAN_UNITS = "fortran_runner.c", "fortran_units.f90"
#: Where the collectives and the header of MGEN lie, beside the folder of the runners.
PROGRAMS = "programs"
SIMULATED = "simulated.c"


def library_files(sources: Path) -> list[Path]:
    """All C files that a measurement consists of beside the program, in order.

    `sources` holds the runners; beside it lies `programs`.
    """
    programs = sources.parent / PROGRAMS
    found = [*sources.glob("*.[ch]"), *sources.glob("*.f90"), *(programs / "lib").glob("*.[ch]")]
    found += (programs / "include").glob("*.h")
    return sorted(path for path in found if path.name != SIMULATED)


def sources_digest(sources: Path) -> str:
    """SHA-256 over names and tokens of what a measurement consists of beside the program."""
    return files_digest(library_files(sources))


def mgen_command(sources: Path, *program: Path) -> list[str]:
    """The compiler's arguments for a program of MGEN, without the name of the result."""
    programs = sources.parent / PROGRAMS
    library = sorted(path for path in (programs / "lib").glob("*.c") if path.name != SIMULATED)
    files = [*program, *(sources / name for name in (*MGEN_SOURCES, *SHARED_SOURCES)), *library]
    # The simulator's mpi.h lies there, too: the MPI's own comes first.
    folders = [f"-I{programs / 'lib'}", f"-I{sources}", f"-idirafter{programs / 'include'}"]
    return [*FLAGS, *PLACING, "-DMGEN_OVER_MPI", *folders, *map(str, files), "-lm", "-ldl"]


def runner_command(sources: Path) -> list[str]:
    """The same for the runner of plain MPI programs."""
    files = [sources / name for name in (PLAIN_RUNNER, *SHARED_SOURCES)]
    return [*FLAGS, "-rdynamic", *map(str, files), "-lm", "-ldl"]


def plain_command(program: Path) -> list[str]:
    """The same for a plain MPI program, which becomes a shared object."""
    renamed = [f"-D{name}={ours}" for name, ours in RENAMED.items()]
    return [*PLAIN_FLAGS, *renamed, str(program), "-lm"]


def build_program(
    program: ProgramSource,
    sources: Path,
    mpicc: Path,
    environment: Mapping[str, str] | None = None,
    run: str = THIS_PROCESS,
) -> list[Path]:
    """Compile `program` with `mpicc` unless this content was compiled before.

    Returns the executable, and for a plain program its shared object behind it. A program is
    compiled where no other file lies than its own. Raises MeasurementError with the compiler's
    words when that fails; a build of its own that failed is not tried again in the same `run`.
    """
    if program.build is not None and "make" in program.build:
        return _built_by_itself(program, sources, mpicc, environment, run)
    compiler, making = _compiler(program, mpicc), _Making(program, sources, environment)
    # By its text, not its tokens: the lines in the compiler's messages are those of today.
    key = f"{sources_digest(sources)} {mpicc} {ALL_FLAGS} ".encode() + program.content
    if program.build is not None:
        key += f"{program.build} {compiler} ".encode() + compiler.read_bytes()
    folder = sources / "build" / sha256(key + mpicc.read_bytes()).hexdigest()[:12]
    folder.mkdir(parents=True, exist_ok=True)
    executable, plain = folder / program.name, folder / f"{program.name}.so"
    if program.build is None:
        source = folder / f"{program.name}.c"
        _keep(source, program.content)
        copy = str(folder / f"{program.name}.c"), str(program.path)
        commands = {executable: mgen_command(sources, source)}
        if program.is_plain:
            commands = {executable: runner_command(sources), plain: plain_command(source)}
        for target, command in commands.items():
            making.make(target, [str(mpicc), *command], shown=copy)
        return list(commands)
    root = folder / "files"
    for path, text in program.files.items():
        _keep(root / path, text)
    parts = Parts(program.build, program.is_plain)
    if program.is_plain:
        _make_runner(making, executable, mpicc, is_fortran(program))
        name, content = parts.exports
        _keep(exports := folder / name, content)
        making.make(plain, [str(compiler), *parts.shared_object(exports)], root)
        return [executable, plain]
    objects = {folder / f"{i}.o": path for i, path in enumerate(program.build["sources"])}
    for made, path in objects.items():
        making.make(made, [str(compiler), *parts.one_object(path, sources)], root)
    command = [*mgen_command(sources, *objects), *parts.libraries]
    making.make(executable, [str(mpicc), *command])
    return [executable]


def _built_by_itself(
    program: ProgramSource,
    sources: Path,
    mpicc: Path,
    environment: Mapping[str, str] | None,
    run: str,
) -> list[Path]:
    """A program that a project's own Makefile builds: the runner, and the shared object."""
    assert program.build is not None
    if not program.is_plain:
        raise MeasurementError(
            f"{program.path} is not a plain MPI program (no file of it includes mpi.h): a program "
            "that begins at MGEN_Main is measured by its sources"
        )
    variables, lacking = {"cc": own_build_variables(mpicc)}, {}
    for name, compiler in {"c++": cpp_compiler, "fc": fortran_compiler}.items():
        try:
            variables[name] = own_build_variables(compiler(mpicc), is_fortran=name == "fc")
        except MeasurementError as error:
            lacking[name] = str(error)
    exports = {EXPORTS_FILE: EXPORTS, FORTRAN_EXPORTS_FILE: FORTRAN_EXPORTS}
    compilers = Compilers(
        compiling_simulator(), variables, lacking, exports, _beyond_the_system(mpicc)
    )
    cache = sources / "build"
    try:
        plain = built(program.build, program.files, compilers, cache, run)
    except NotBuiltError as error:
        raise MeasurementError(str(error), last_lines(error.log)) from error
    key = f"{sources_digest(sources)} {mpicc} {FLAGS}".encode() + mpicc.read_bytes()
    needs_fortran = links_fortran(plain)
    key += b" fortran" if needs_fortran else b""
    folder = cache / sha256(key).hexdigest()[:12]
    folder.mkdir(parents=True, exist_ok=True)
    runner = folder / "plain_runner"
    _make_runner(_Making(program, sources, environment), runner, mpicc, needs_fortran)
    return [runner, plain]


def _compiler(program: ProgramSource, mpicc: Path) -> Path:
    if is_fortran(program):
        return fortran_compiler(mpicc)
    return cpp_compiler(mpicc) if is_cpp(program) else mpicc


def _make_runner(making: _Making, target: Path, mpicc: Path, needs_fortran: bool) -> None:
    """The runner of plain programs; that of Fortran has the MPI's library for Fortran."""
    sources = making.sources
    if not needs_fortran:
        making.make(target, [str(mpicc), *runner_command(sources)])
        return
    objects = []
    for name in (PLAIN_RUNNER, FORTRAN_RUNNER, *SHARED_SOURCES):
        objects.append(target.with_name(f"{name}.o"))
        words = [str(mpicc), *FLAGS, "-c", str(sources / name)]
        making.make(objects[-1], words)
    words = [str(fortran_compiler(mpicc)), "-rdynamic", "-Wl,--no-as-needed"]
    words += [str(sources / FORTRAN_UNITS), *map(str, objects), "-lm", "-ldl"]
    making.make(target, words)


def _beyond_the_system(mpicc: Path) -> list[Path]:
    """The folder of an MPI that is not the system's."""
    folders = (mpicc.parent, mpicc.resolve().parent)
    places = {Path(os.path.normpath(folder / "..")) for folder in folders}
    return sorted(path for path in places if not path.is_relative_to("/usr") and path != Path("/"))


def _keep(path: Path, content: bytes) -> None:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as unfinished:
            unfinished.write_bytes(content)


@dataclass(frozen=True, slots=True)
class _Making:
    """Compiles for a program; `sources` is the folder of the runners."""

    program: ProgramSource
    sources: Path
    environment: Mapping[str, str] | None

    def make(
        self,
        target: Path,
        command: Sequence[str],
        folder: Path | None = None,
        shown: tuple[str, str] = ("", ""),
    ) -> None:
        """Run the compiler in `folder`, unless `target` is there; messages have the second name of
        `shown` for the first."""
        if target.exists():
            return
        unfinished = target.with_name(f"{target.name}.{os.uname().nodename}.{os.getpid()}.tmp")
        readable = [target.parent, self.sources, self.sources.parent / PROGRAMS]
        given = os.environ if self.environment is None else self.environment
        try:
            done = Compilation(command, unfinished, readable, folder, given).run()
        except UnconfinedError as error:
            raise MeasurementError(
                f"the program {self.program.path} is not compiled: {error}"
            ) from error
        # Simulators compile the same file, and refuse it then.
        build = self.program.build
        allowed = build is not None and ALLOWS_UNDECLARED in build["flags"]
        if done.returncode != 0 or (UNDECLARED in done.stdout and not allowed):
            unfinished.unlink(missing_ok=True)
            words = done.stdout.replace(*shown) if shown[0] else done.stdout
            hint = build_hint(words) if build else ""
            raise MeasurementError(
                f"the program {self.program.path} does not compile: {compiler_errors(words)}{hint}",
                last_lines(words),
            )
        unfinished.replace(target)
