"""Finding an MPI and compiling the measuring programs with it, once per content."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

FLAGS = ("-std=c11", "-O2", "-Wall", "-Wextra")
SHARED_SOURCES = ("measure.c", "options.c")
LOG_LINES = 20
DEFAULT_TOOLS = ("mpicc", "mpiexec")


class MeasurementError(Exception):
    """A point could not be measured: the reason in one line, and the last lines of output."""

    def __init__(self, reason: str, log: str = "") -> None:
        super().__init__(reason)
        self.log = log


def last_lines(text: str) -> str:
    """The lines of `text` worth keeping beside a failure."""
    return "\n".join(text.rstrip().splitlines()[-LOG_LINES:])


@dataclass(frozen=True, slots=True)
class Mpi:
    """The compiler wrapper and the launcher of one MPI installation."""

    mpicc: Path
    mpiexec: Path


def find_tool(name: str, beside: Path) -> Path:
    """The executable `name` (or path) in the folder `beside`, else on the PATH.

    Raises MeasurementError with what to do when there is none.
    """
    found = shutil.which(name, path=str(beside)) or shutil.which(name)
    if found:
        return Path(found)
    if name in DEFAULT_TOOLS:
        raise MeasurementError(
            f"no {name} found here: run 'make env', or name your MPI's {name} in the machine file"
        )
    raise MeasurementError(f"the machine file names '{name}', which is no executable here")


def find_mpi(machine: Mapping[str, Any]) -> Mpi:
    """The MPI that the machine file chooses, else the one installed with this Python.

    The launcher is first looked for beside `mpicc`, so that both come from one installation.
    """
    mpicc = find_tool(machine.get("mpicc", "mpicc"), Path(sys.executable).parent)
    return Mpi(mpicc, find_tool(machine.get("launcher", "mpiexec"), mpicc.parent))


def sources_digest(sources: Path) -> str:
    """SHA-256 over names and contents of all C files in `sources`."""
    digest = sha256()
    for path in sorted(sources.glob("*.[ch]")):
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def measurement_version(sources: Path) -> str:
    """Names the C sources and the default MPI: measurements are comparable if it is equal."""
    try:
        wrapper = find_mpi({}).mpicc.read_bytes()
    except MeasurementError:
        wrapper = b""
    return sha256(sources_digest(sources).encode() + wrapper).hexdigest()[:12]


def build_program(program: str, sources: Path, mpicc: Path) -> Path:
    """Compile `program` with `mpicc` unless this content was compiled before.

    Raises MeasurementError with the compiler's words when that fails.
    """
    key = f"{sources_digest(sources)} {mpicc} {' '.join(FLAGS)}".encode() + mpicc.read_bytes()
    target = sources / "build" / sha256(key).hexdigest()[:12] / program
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(f"{program}.{os.getpid()}.tmp")
    files = [sources / f"{program}.c", *(sources / name for name in SHARED_SOURCES)]
    command = [str(mpicc), *FLAGS, "-o", str(unfinished), *map(str, files), "-lm"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise MeasurementError(f"{mpicc.name} cannot build {program}", last_lines(done.stdout))
    unfinished.replace(target)
    return target
