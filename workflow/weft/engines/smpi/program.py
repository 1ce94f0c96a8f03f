"""A program of a point, compiled for SMPI, and what it gets to read."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from weft.engines.external.answer import UnanswerableError
from weft.engines.external.version import DIGITS
from weft.engines.hardware.build import SIMULATED, sources_digest
from weft.engines.hardware.engine import SOURCES
from weft.engines.hardware.errors import MeasurementError
from weft.engines.hardware.parts import Parts, is_cpp, is_fortran
from weft.engines.hardware.source import ProgramSource, program_of
from weft.engines.order import ResolvedPoint
from weft.engines.simgrid.description import Links
from weft.engines.simgrid.installation import SOURCE, Installation
from weft.files import replace_bytes

RUNNER = SOURCE / "program.c"
#: The same for plain MPI programs, whose main and MPI_Finalize it stands around.
PLAIN_RUNNER = SOURCE / "plain.c"
_WORDS = SOURCE / "words.c"
_RENAMED = ("-Dmain=weft_program_main", "-DMPI_Finalize=weft_finalize")
_PROGRAMS = SOURCES.parent / "programs"
#: The part of mgen.h over MPI that is the same in SMPI.
_SHARED = ("mgen_collectives.c", "over_mpi.c")
_FLAGS = ("-std=gnu11", "-O2")
#: Early enough that a picosecond is far above the rounding of the clock.
LEAST_START_S = 2.0**-10
_ALGORITHM = "_algorithm"
_SIZE = "{message_bytes}"
_INPUT = "{input}"


def calls_digest() -> str:
    """Of everything that a program is compiled with, beside the runner."""
    return sources_digest(SOURCES)


def compiled_program(point: ResolvedPoint, simgrid: Installation, project: Path) -> Path:
    """The executable of a point's program.

    Raises UnanswerableError when the program is missing or does not compile.
    """
    try:
        program = program_of(point, project)
    except MeasurementError as error:
        raise UnanswerableError(str(error)) from error
    for language, found in (("C++", is_cpp(program)), ("Fortran", is_fortran(program))):
        if found:
            raise UnanswerableError(
                f"smpi compiles C here, and {program.path} is a program of {language}"
            )
    target = simgrid.cached(program.name, _digest(program))
    # Where no header lies that could be taken for another.
    files, words = [target.with_suffix(".c")], list[str]()
    contents: dict[str, bytes] = {str(files[0]): program.content}
    if program.build is not None:
        root = target.with_name(f"{target.name}-files").absolute()
        files = [root / path for path in program.build["sources"]]
        words = Parts(program.build, program.is_plain).words(root)
        contents = {str(root / path): content for path, content in program.files.items()}
    for path, content in contents.items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        replace_bytes(Path(path), content)
    arguments = _of_plain(files) if program.is_plain else _of_mgen(files)
    command = [str(simgrid.prefix / "bin" / "smpicc"), *_FLAGS, *words, *arguments]
    libraries = Parts(program.build, program.is_plain).libraries if program.build else []
    own = [SOURCES, _PROGRAMS, *map(Path, contents)]
    simgrid.compile(target, [*command, *libraries, "-lm", "-lsimgrid"], own)
    return target


def _of_mgen(sources: Sequence[Path]) -> list[str]:
    """The compiler's arguments for a program of MGEN."""
    library = sorted(path for path in (_PROGRAMS / "lib").glob("*.c") if path.name != SIMULATED)
    files = [*sources, RUNNER, _WORDS, *(SOURCES / name for name in _SHARED), *library]
    folders = [f"-I{_PROGRAMS / 'lib'}", f"-I{SOURCES}", f"-idirafter{_PROGRAMS / 'include'}"]
    return ["-DMGEN_OVER_MPI", *folders, *map(str, files)]


def _of_plain(sources: Sequence[Path]) -> list[str]:
    """The same for a plain MPI program, which sees none of weft's headers."""
    return [*_RENAMED, *map(str, sources), str(PLAIN_RUNNER), str(_WORDS)]


def start_s(point: ResolvedPoint) -> float:
    """When the program starts: a power of two, after all that SMPI does to make a communicator.

    That is a few messages, each of some bytes for each rank, along the longest way.
    """
    links, ranks = Links.of(point["network"]), int(point["workload"]["ranks"])
    topology = point["topology"]
    own = topology.get("links") or ()
    longest_s = max([links.hop_latency_s, *(each.get("latency_s") or 0.0 for each in own)])
    slowest = [each.get("bandwidth_bytes_per_s", math.inf) for each in own]
    slower = max([topology.get("taper", 1.0), *(each.get("slower", 1.0) for each in own)])
    bandwidth = min([links.bandwidth_bytes_per_s / slower, *slowest])
    way_s = links.latency_s + topology["nodes"] * longest_s
    step_s = way_s + 100 * ranks / bandwidth
    needed_s = 10 * ranks.bit_length() * step_s
    return max(LEAST_START_S, 2.0 ** math.ceil(math.log2(needed_s)))


def words(point: ResolvedPoint, size_bytes: int | None, times: str, project: Path) -> Iterator[str]:
    """The lines that the runner reads: when it starts, where times go, algorithms and arguments.

    Raises UnanswerableError when the input is missing.
    """
    workload = point["workload"]
    yield f"start {start_s(point)!r}"
    yield f"times {times}"
    for name, value in sorted(point["options"].items()):
        if name.endswith(_ALGORITHM):
            yield f"algorithm {name.removesuffix(_ALGORITHM)}={value}"
    yield f"argument {workload['program']}"
    own = [str(text) for text in workload.get("arguments") or ()]
    if size_bytes is not None and not any(_SIZE in text for text in own):
        yield f"argument {size_bytes}"
    named = workload.get("input")
    given = str(_existing(named, project)) if named else ""
    for text in own:
        if "\n" in text:
            raise UnanswerableError("smpi cannot pass an argument of several lines")
        yield f"argument {text.replace(_SIZE, str(size_bytes)).replace(_INPUT, given)}"


def _existing(named: str, project: Path) -> Path:
    found = next((path for path in (project / named, Path(named)) if path.is_file()), None)
    if found is None:
        raise UnanswerableError(f"there is no file {named} (workload.input)")
    return found.resolve()


def _digest(program: ProgramSource) -> str:
    runner = sha256()
    for path in sorted(SOURCE.glob("*.[ch]")):
        runner.update(path.read_bytes())
    whole = f"{runner.hexdigest()} {calls_digest()} {_FLAGS} {_RENAMED} "
    if program.build is not None:
        whole += f"{program.build} "
    return sha256(whole.encode() + program.content).hexdigest()[:DIGITS]
