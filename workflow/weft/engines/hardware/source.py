"""The sources of a point's program: where they are, what kind of program it is."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from weft.engines.hardware.errors import MeasurementError
from weft.engines.order import ResolvedPoint
from weft.files.tokens import file_digest

if TYPE_CHECKING:
    from weft.plan.spec import BuildSpec

_INCLUDES_MPI = re.compile(r"^\s*#\s*include\s*[<\"]mpi\.h[>\"]", re.MULTILINE)
_USES_MPI = re.compile(
    r"^\s*(use\b.*\bmpi(_f08)?\b|#?\s*include\s*['\"<]mpif\.h['\">])", re.MULTILINE | re.IGNORECASE
)
_ONE_SIDED = re.compile(r"\bMGEN_(rdma|acp)_")


@dataclass(frozen=True)
class ProgramSource:
    """A program: its name, and the content of its source; of several files that of all of them.

    `build` says what is compiled of several files, `files` holds each by its path from the project.
    `data` are files for the folder in which it runs, by the names that they have there.
    """

    name: str
    path: Path
    content: bytes
    build: BuildSpec | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)
    data: Mapping[str, bytes] = field(default_factory=dict)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the source's tokens, in hexadecimal."""
        return file_digest(self.path.name, self.content)

    @property
    def is_plain(self) -> bool:
        """Whether it is an MPI program as it is, with a `main`; else it begins at MGEN_Main."""
        return bool(_INCLUDES_MPI.search(self._text) or _USES_MPI.search(self._text))

    @property
    def is_one_sided(self) -> bool:
        """Whether it puts or gets, for which an MPI has to get ready."""
        return bool(_ONE_SIDED.search(self._text))

    def new_folder(self, folder: Path) -> Path | None:
        """Empty `folder` and put its data there; None for one file, which needs no folder."""
        if self.build is None:
            return None
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name, content in self.data.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return folder

    @property
    def _text(self) -> str:
        return self.content.decode(errors="replace")


def program_of(point: ResolvedPoint, project: Path) -> ProgramSource:
    """The program that answers the point.

    `workload.source` is a path from the project; without one it is that of `programs/`. Raises
    MeasurementError when there is none, or when it is not what the point was planned with.
    """
    workload = point["workload"]
    name = str(workload["program"])
    if build := workload.get("build"):
        return _of_files(name, build, project)
    named = workload.get("source") or f"programs/{name}.c"
    path = next((p for p in (project / named, Path(named)) if p.is_file()), None)
    if path is None:
        known = ", ".join(shipped(project))
        raise MeasurementError(
            f"no program '{name}' to measure with: there is no file {named}; programs of weft are "
            f"{known}"
        )
    program = ProgramSource(name, path, path.read_bytes())
    wanted = workload.get("source_sha256")
    if wanted is not None and wanted != program.digest:
        raise MeasurementError(f"{named} has changed since this was planned; start Snakemake again")
    return program


def _of_files(name: str, build: BuildSpec, project: Path) -> ProgramSource:
    def read(named: str, counted: str, wanted: str) -> bytes:
        below = Path(build["root"]) / named
        path = next((p for p in (project / below, below) if p.is_file()), None)
        if path is None:
            raise MeasurementError(f"there is no file {below} any more, of the program '{name}'")
        content = path.read_bytes()
        if file_digest(counted, content) != wanted:
            raise MeasurementError(
                f"{named} has changed since this was planned; start Snakemake again"
            )
        return content

    # A Makefile may do anything with the comments of a source.
    own = "make" in build
    files = {path: read(path, "" if own else path, digest) for path, digest in build["files"]}
    # Of what a program reads every byte counts, also where the file is a C source.
    data = {own: read(path, "", digest) for own, path, digest in build.get("data", ())}
    content = b"\n".join(files.values())
    return ProgramSource(name, Path(_first(build)), content, build, files, data)


def _first(build: BuildSpec) -> str:
    """What messages call the program."""
    return build["make"]["executable"] if "make" in build else build["sources"][0]


def shipped(project: Path) -> list[str]:
    """The names of the programs that come with weft."""
    return sorted(path.stem for path in (project / "programs").glob("*.c"))


def is_shipped(program: ProgramSource, project: Path) -> bool:
    """Whether it is one of those, and therefore in the image."""
    if program.build is not None:
        return False
    own = project / "programs" / f"{program.name}.c"
    return own.is_file() and file_digest(own.name, own.read_bytes()) == program.digest
