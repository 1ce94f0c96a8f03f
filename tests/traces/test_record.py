"""What the recorder writes of a program over a real MPI takes, replayed, as long as the program."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow.parquet as pq
import pytest
from weft.engines.hardware.recorder import build_recorder
from weft.tables.traces import TraceError
from weft.traces import record
from weft.traces.record import SOURCES

from tests.patience import PATIENCE_S
from tests.programs.simulator import simulated
from tests.programs.traced import replayed

pytestmark = [pytest.mark.slow, pytest.mark.long("programs")]
HERE = Path(__file__).parent
RANKS = 4
OPTIONS = {"eager_limit_bytes": 1024, "stack_bytes": 1 << 18}
NETWORK = {"bandwidth_bytes_per_s": 4e9, "latency_s": 1e-6, "hop_latency_s": 1e-7}
LIBRARIES = ("mpich", "openmpi")


def recorded(folder: Path, source: Path, library: str) -> Path:
    """The trace of a program."""
    mpicc, launcher = f"mpicc.{library}", f"mpiexec.{library}"
    if shutil.which(mpicc) is None or shutil.which(launcher) is None:
        pytest.skip(f"{mpicc} is not installed")
    program, trace = folder / "program", folder / "recorded.weft-trace"
    subprocess.run([mpicc, "-w", "-o", program, source], check=True, timeout=PATIENCE_S)
    more = ["--oversubscribe"] if library == "openmpi" else []
    record(trace, [launcher, *more, "-n", str(RANKS), str(program)], mpicc, "wall")
    return trace


@pytest.fixture(autouse=True)
def _root_may_run_in_a_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
        monkeypatch.setenv(name, "1")


@cache
def own_time(program: str, engine: str) -> float:
    """How long the program takes itself."""
    with TemporaryDirectory() as folder:
        source = HERE / program
        own = simulated(Path(folder), source, RANKS, network=NETWORK, engine=engine, **OPTIONS)
        return own["program_time_s"]


@pytest.mark.parametrize("program", ["everything.c", "blocks.c", "grid.c", "behind.c"])
@pytest.mark.parametrize("library", LIBRARIES)
def test_the_replay_of_a_recorded_program_takes_as_long_as_the_program(library, program, tmp_path):
    trace = recorded(tmp_path, HERE / program, library)
    rows = [{**row, "compute_s": 0.0} for row in pq.read_table(trace).to_pylist()]
    for engine in ("flow", "packet", "rdma"):
        again = replayed(tmp_path, rows, RANKS, engine, network=NETWORK, **OPTIONS)
        assert again["program_time_s"] == own_time(program, engine) > 0


COMPUTES = """
#include <mpi.h>
#include <stdio.h>
#include <time.h>
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}
int main(int argc, char **argv) {
    char name[4096];
    int rank;
    double before = now();
    MPI_Init(&argc, &argv);
    double begin = now(), end = begin + 0.2;
    while (now() < end) {
    }
    double least = now() - begin;
    MPI_Barrier(MPI_COMM_WORLD);
    double most = now() - before;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "FOLDER/%d", rank);
    FILE *file = fopen(name, "w");
    fprintf(file, "%.9f %.9f", least, most);
    fclose(file);
    MPI_Finalize();
}
"""


@pytest.mark.parametrize("library", LIBRARIES)
def test_computing_between_calls_is_in_the_trace_as_the_clock_of_the_system_has_it(
    library, tmp_path
):
    source = tmp_path / "computes.c"
    source.write_text(COMPUTES.replace("FOLDER", str(tmp_path)))
    rows = pq.read_table(recorded(tmp_path, source, library)).to_pylist()
    assert [row["call"] for row in rows] == ["Barrier", "Compute"] * RANKS
    for rank, row in enumerate(rows[::2]):
        least, most = map(float, (tmp_path / str(rank)).read_text().split())
        assert least * 0.9999 <= row["compute_s"] <= most * 1.0001


CALLS = """
#include <mpi.h>
int main(int argc, char **argv) {
    int rank, ranks, number = 0, flag;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < 1000; i++) {
        MPI_Irecv(&number, 1, MPI_INT, (rank + 1) % ranks, i, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&i, 1, MPI_INT, (rank + ranks - 1) % ranks, i, MPI_COMM_WORLD, &requests[1]);
        MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        MPI_Bcast(&number, 1, MPI_INT, i % ranks, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
"""


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_call_takes_few_bytes(library, tmp_path):
    source = tmp_path / "calls.c"
    source.write_text(CALLS)
    trace = recorded(tmp_path, source, library)
    events = pq.read_metadata(trace).num_rows
    environment = {**os.environ, "WEFT_TRACE": str(tmp_path)}
    environment["LD_PRELOAD"] = str(build_recorder(tmp_path, SOURCES, f"mpicc.{library}"))
    more = ["--oversubscribe"] if library == "openmpi" else []
    command = [f"mpiexec.{library}", *more, "-n", str(RANKS), str(tmp_path / "program")]
    subprocess.run(command, check=True, timeout=PATIENCE_S, env=environment)
    written = sum(path.stat().st_size for path in tmp_path.glob("rank-*.rec"))
    assert events >= RANKS * 4000
    assert written <= 16 * events


UNSEEN = """
#include <mpi.h>
int main(int argc, char **argv) {
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Win_create(0, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_free(&window);
    MPI_Finalize();
}
"""


def test_a_call_that_traces_do_not_have_is_named_and_leaves_no_trace(tmp_path):
    source = tmp_path / "unseen.c"
    source.write_text(UNSEEN)
    with pytest.raises(TraceError, match="rank 0 calls MPI_Win_create, which traces do not have"):
        recorded(tmp_path, source, "mpich")
    assert not list(tmp_path.glob("*.weft-trace*"))


def test_a_command_that_fails_or_is_no_program_of_mpi_is_named(tmp_path):
    trace = tmp_path / "x.weft-trace"
    with pytest.raises(TraceError, match="false ended with code 1"):
        record(trace, ["false"], "mpicc", "wall")
    with pytest.raises(TraceError, match="no rank was recorded"):
        record(trace, ["true"], "mpicc", "wall")
    with pytest.raises(TraceError, match="nothing-like-it does not start"):
        record(trace, ["true"], "nothing-like-it", "wall")


def test_a_rank_that_does_not_finalize_leaves_no_trace(tmp_path):
    source = tmp_path / "ends.c"
    source.write_text(UNSEEN.replace("MPI_Finalize();", "_exit(0);").replace("MPI_Win_", "//"))
    with pytest.raises(TraceError):
        recorded(tmp_path, source, "mpich")
    assert not list(tmp_path.glob("*.weft-trace*"))
