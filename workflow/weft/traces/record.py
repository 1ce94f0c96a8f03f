"""Records the calls of a program of MPI that runs on this machine."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from weft.files.layout import CLONE
from weft.tables.traces import TraceError
from weft.traces.convert import written
from weft.traces.recorded import recorded_ranks, recorded_rows

SOURCES = CLONE / "hardware" / "trace"
#: Compilers may be slow on a loaded machine.
COMPILE_S = 600


def record(
    target: Path, command: Sequence[str], mpicc: str, clock: Literal["wall", "cpu"]
) -> tuple[int, int]:
    """Run `command` with the recorder, which `mpicc` compiles; write the trace to `target`.

    Returns the numbers of ranks and of events. Raises TraceError when the recorder does not
    compile, the command fails, or the program makes calls that traces do not have.
    """
    with tempfile.TemporaryDirectory(prefix="weft-trace-") as name:
        folder = Path(name)
        library = build_recorder(folder, mpicc)
        preload = " ".join(filter(None, [str(library), os.environ.get("LD_PRELOAD")]))
        own = {"LD_PRELOAD": preload, "WEFT_TRACE": name, "WEFT_TRACE_CLOCK": clock}
        try:
            code = subprocess.run([*command], env={**os.environ, **own}, check=False).returncode
        except OSError as error:
            raise TraceError(f"{command[0]} does not start: {error.strerror}") from error
        if code != 0:
            raise TraceError(f"{command[0]} ended with code {code}")
        ranks = recorded_ranks(folder)
        events = written(target, ranks, recorded_rows(folder, ranks), " ".join(command))
    return ranks, events


def build_recorder(folder: Path, mpicc: str) -> Path:
    """Compile the recorder into `folder`; the path of the library.

    Raises TraceError with what the compiler says.
    """
    library = folder / "libweft-trace.so"
    sources = sorted(map(str, SOURCES.glob("*.c")))
    command = [mpicc, "-O2", "-fPIC", "-shared", "-o", str(library), *sources]
    try:
        made = subprocess.run(
            command, check=False, capture_output=True, text=True, timeout=COMPILE_S
        )
    except OSError as error:
        raise TraceError(f"{mpicc} does not start: {error.strerror}; name another") from error
    if made.returncode != 0:
        raise TraceError(f"{mpicc} does not compile the recorder: {made.stderr.strip()}")
    return library
