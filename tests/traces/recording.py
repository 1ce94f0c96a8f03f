"""Programs over a real MPI, recorded, and how long they take themselves."""

import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from weft.traces import record

from tests.missing import missing
from tests.patience import PATIENCE_S
from tests.programs.simulator import simulated

HERE = Path(__file__).parent
RANKS = 4
OPTIONS = {"eager_limit_bytes": 1024, "stack_bytes": 1 << 18}
NETWORK = {"bandwidth_bytes_per_s": 4e9, "latency_s": 1e-6, "hop_latency_s": 1e-7}
LIBRARIES = ("mpich", "openmpi")


def recorded(folder: Path, source: Path, library: str) -> Path:
    """The trace of a program."""
    mpicc, launcher = f"mpicc.{library}", f"mpiexec.{library}"
    compiler = f"mpifort.{library}" if source.suffix == ".f90" else mpicc
    for tool in (mpicc, compiler, launcher):
        if shutil.which(tool) is None:
            missing(f"{tool} is not installed")
    program, trace = folder / "program", folder / "recorded.weft-trace"
    command = [compiler, "-w", "-o", program, source]
    subprocess.run(command, check=True, timeout=PATIENCE_S, cwd=folder)
    more = ["--oversubscribe"] if library == "openmpi" else []
    record(trace, [launcher, *more, "-n", str(RANKS), str(program)], mpicc, "wall")
    return trace


@cache
def own_time(program: str, engine: str) -> float:
    """How long the program takes itself."""
    with TemporaryDirectory() as folder:
        source = HERE / program
        own = simulated(Path(folder), source, RANKS, network=NETWORK, engine=engine, **OPTIONS)
        return own["program_time_s"]
