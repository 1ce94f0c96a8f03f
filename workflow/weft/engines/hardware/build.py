"""Compiling the measuring programs with the machine's MPI, once per content."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from weft.engines.hardware.errors import MeasurementError, last_lines

FLAGS = ("-std=c11", "-O2", "-Wall", "-Wextra")
SHARED_SOURCES = ("measure.c", "options.c", "places.c", "fabric.c")


def sources_digest(sources: Path) -> str:
    """SHA-256 over names and contents of all C files in `sources`."""
    digest = sha256()
    for path in sorted(sources.glob("*.[ch]")):
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def build_program(
    program: str, sources: Path, mpicc: Path, environment: Mapping[str, str] | None = None
) -> Path:
    """Compile `program` with `mpicc` unless this content was compiled before.

    Raises MeasurementError with the compiler's words when that fails.
    """
    key = f"{sources_digest(sources)} {mpicc} {' '.join(FLAGS)}".encode() + mpicc.read_bytes()
    target = sources / "build" / sha256(key).hexdigest()[:12] / program
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(f"{program}.{os.uname().nodename}.{os.getpid()}.tmp")
    files = [sources / f"{program}.c", *(sources / name for name in SHARED_SOURCES)]
    command = [str(mpicc), *FLAGS, "-o", str(unfinished), *map(str, files), "-lm"]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    )
    if done.returncode != 0:
        raise MeasurementError(f"{mpicc.name} cannot build {program}", last_lines(done.stdout))
    unfinished.replace(target)
    return target
