"""Records the calls of a program of MPI that runs on this machine."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from weft.engines.hardware.recorded import recorded_ranks, recorded_rows
from weft.engines.hardware.recorder import Clock, build_recorder, recording
from weft.files.layout import CLONE
from weft.tables.traces import TraceError, write_whole

SOURCES = CLONE / "hardware"


def record(target: Path, command: Sequence[str], mpicc: str, clock: Clock) -> tuple[int, int]:
    """Run `command` with the recorder, which `mpicc` compiles; write the trace to `target`.

    Returns the numbers of ranks and of events. Raises TraceError when the recorder does not
    compile, the command fails, or the program makes calls that traces do not have.
    """
    with tempfile.TemporaryDirectory(prefix="weft-trace-") as name:
        folder = Path(name)
        library = build_recorder(folder, SOURCES, mpicc)
        own = recording(library, folder, clock, os.environ)
        try:
            code = subprocess.run([*command], env={**os.environ, **own}, check=False).returncode
        except OSError as error:
            raise TraceError(f"{command[0]} does not start: {error.strerror}") from error
        if code != 0:
            raise TraceError(f"{command[0]} ended with code {code}")
        ranks = recorded_ranks(folder)
        events = write_whole(target, ranks, recorded_rows(folder, ranks), " ".join(command))
    return ranks, events
