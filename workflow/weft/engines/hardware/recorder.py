"""The recorder `hardware/trace/`: compiled for an MPI, and preloaded into every rank."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Literal

from weft.files.tokens import files_digest
from weft.tables.traces import TraceError

Clock = Literal["wall", "cpu"]
#: Where its sources lie in the folder of the runners.
FOLDER = "trace"
#: Compilers may be slow on a loaded machine.
COMPILE_S = 600
_PRELOAD = "LD_PRELOAD"


def build_recorder(
    folder: Path, sources: Path, mpicc: Path | str, environment: Mapping[str, str] | None = None
) -> Path:
    """Compile the recorder of `sources` with `mpicc` into `folder`; the path of the library.

    Raises TraceError with what the compiler says.
    """
    library = folder / "libweft-trace.so"
    files = sorted(map(str, (sources / FOLDER).glob("*.c")))
    unfinished = library.with_name(f"{library.name}.{os.uname().nodename}.{os.getpid()}.tmp")
    command = [str(mpicc), "-O2", "-fPIC", "-shared", "-o", str(unfinished), *files, "-ldl"]
    try:
        made = subprocess.run(
            command, check=False, capture_output=True, text=True, timeout=COMPILE_S, env=environment
        )
    except OSError as error:
        raise TraceError(f"{mpicc} does not start: {error.strerror}; name another") from error
    if made.returncode != 0:
        raise TraceError(f"{mpicc} does not compile the recorder: {made.stderr.strip()}")
    unfinished.replace(library)
    return library


def recorder_digest(sources: Path) -> str:
    """SHA-256 over names and tokens of the recorder."""
    return files_digest(sorted((sources / FOLDER).glob("*.[ch]")))


def kept_recorder(sources: Path, mpicc: Path, environment: Mapping[str, str]) -> Path:
    """The same, compiled once for its content and `mpicc`, beside the programs."""
    digest = sha256(f"{mpicc} {recorder_digest(sources)} ".encode() + mpicc.read_bytes())
    folder = sources / "build" / f"{FOLDER}-{digest.hexdigest()[:12]}"
    if not (library := folder / "libweft-trace.so").exists():
        folder.mkdir(parents=True, exist_ok=True)
        build_recorder(folder, sources, mpicc, environment)
    return library.absolute()


def recording(
    library: Path, folder: Path, clock: Clock, environment: Mapping[str, str]
) -> dict[str, str]:
    """The variables of ranks that record into `folder`; `environment` is what they get else."""
    preload = " ".join(filter(None, [str(library), environment.get(_PRELOAD)]))
    return {_PRELOAD: preload, "WEFT_TRACE": str(folder), "WEFT_TRACE_CLOCK": clock}
