"""What the recorder writes of a program over a real MPI takes, replayed, as long as the program."""

import os
import subprocess

import pyarrow.parquet as pq
import pytest
from weft.engines.hardware.recorder import build_recorder
from weft.tables.traces import TraceError
from weft.traces import record
from weft.traces.record import SOURCES

from tests.patience import PATIENCE_S
from tests.programs.traced import replayed
from tests.traces.recording import HERE, LIBRARIES, NETWORK, OPTIONS, RANKS, own_time, recorded

pytestmark = [
    pytest.mark.slow,
    pytest.mark.long("programs"),
    pytest.mark.usefixtures("root_may_run_in_a_folder"),
]


@pytest.mark.parametrize(
    "program",
    [
        "everything.c",
        "blocks.c",
        "grid.c",
        "behind.c",
        "unequal.c",
        "windows.c",
        "persistent.c",
        "neighbours.c",
        "sides.c",
    ],
)
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


#: Python (mpi4py) calls these, where the library has them.
LONG = """
#include <mpi.h>
int main(int argc, char **argv) {
    int rank, ranks, sent[4] = {0}, found[16], around = 1;
    MPI_Request request;
    MPI_Comm ring;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Irecv_c(found, 4, MPI_INT, (rank + 1) % ranks, 1, MPI_COMM_WORLD, &request);
    MPI_Send_c(sent, 4, MPI_INT, (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allgather_c(sent, 4, MPI_INT, found, 4, MPI_INT, MPI_COMM_WORLD);
    MPI_Count counts[4] = {1, 1, 1, 1};
    MPI_Aint places[4] = {0, 1, 2, 3};
    MPI_Alltoallv_c(sent, counts, places, MPI_INT, found, counts, places, MPI_INT, MPI_COMM_WORLD);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &around, 0, &ring);
    MPI_Neighbor_alltoallv_c(sent, counts, places, MPI_INT, found, counts, places, MPI_INT, ring);
    MPI_Bcast_init_c(sent, 4, MPI_INT, 0, ring, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
"""

OF_LONG = [
    ("Irecv", 16, None),
    ("Send", 16, None),
    ("Wait", 0, None),
    ("Allgather", 16, None),
    ("Alltoallv", 0, [4] * 2 * RANKS),
    ("Cart_create", 0, [2, 0, 0, RANKS, 1]),
    ("Neighbor_alltoallv", 0, [4] * 4),
    ("Ibcast", 16, None),
    ("Wait", 0, None),
    ("Compute", 0, None),
]


def test_calls_with_counts_of_more_bits_are_those_with_the_usual_ones(tmp_path):
    source = tmp_path / "long.c"
    source.write_text(LONG)
    rows = pq.read_table(recorded(tmp_path, source, "mpich")).to_pylist()[: len(OF_LONG)]
    assert [(row["call"], row["bytes"], row["more"]) for row in rows] == OF_LONG


UNKNOWN = """
#include <mpi.h>
static int query(void *own, MPI_Status *status) {
    return MPI_Status_set_elements(status, MPI_INT, 0);
}
static int release(void *own) {
    return MPI_SUCCESS;
}
static int cancel(void *own, int done) {
    return MPI_SUCCESS;
}
int main(int argc, char **argv) {
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Grequest_start(query, release, cancel, 0, &request);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
"""


def test_a_request_of_a_call_that_is_not_recorded_leaves_no_trace(tmp_path):
    source = tmp_path / "unknown.c"
    source.write_text(UNKNOWN)
    with pytest.raises(TraceError, match="rank 0 calls a nonblocking call that weft does not know"):
        recorded(tmp_path, source, "mpich")


UNSEEN = """
#include <mpi.h>
int main(int argc, char **argv) {
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Irecv(0, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
"""


def test_a_call_that_traces_do_not_have_is_named_and_leaves_no_trace(tmp_path):
    source = tmp_path / "unseen.c"
    source.write_text(UNSEEN)
    with pytest.raises(TraceError, match="rank 0 calls MPI_Cancel, which traces do not have"):
        recorded(tmp_path, source, "mpich")
    assert not list(tmp_path.glob("*.weft-trace*"))


OF_SIDES = """
#include <mpi.h>
int main(int argc, char **argv) {
    MPI_Comm half, sides, made;
    int rank, counts[] = {1, 1, 1}, places[] = {0, 1, 2}, values[3] = {0}, got[3];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 9, &sides);
    CALL;
    MPI_Finalize();
}
"""
REFUSED_OF_SIDES = {
    "MPI_Barrier(sides)": "a collective over an intercommunicator",
    "MPI_Allgatherv(values, 1, MPI_INT, got, counts, places, MPI_INT, sides)": "a collective over",
    "MPI_Comm_split(sides, 0, rank, &made)": "a communicator that is made of parts of an",
}


@pytest.mark.parametrize(("call", "words"), REFUSED_OF_SIDES.items())
def test_of_an_intercommunicator_a_trace_has_messages_and_no_collectives(call, words, tmp_path):
    source = tmp_path / "sides.c"
    source.write_text(OF_SIDES.replace("CALL", call))
    with pytest.raises(TraceError, match=f"rank 0 calls {words}"):
        recorded(tmp_path, source, "mpich")


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
    source.write_text(
        UNSEEN.replace("MPI_Finalize();", "_exit(0);")
        .replace("MPI_Irecv", "//")
        .replace("MPI_Cancel", "//")
        .replace("MPI_Wait", "//")
    )
    with pytest.raises(TraceError):
        recorded(tmp_path, source, "mpich")
    assert not list(tmp_path.glob("*.weft-trace*"))
