"""`engine.hardware.trace`: the calls of a measured program become a file that weft replays."""

import csv
import json
import os
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from weft.engines.base import ShardJob
from weft.engines.hardware.engine import HardwareEngine

from tests.hardware.conftest import make_point
from tests.hardware.test_flavours import INSTALLED, need_tools
from tests.programs.traced import replayed

pytestmark = [pytest.mark.slow, pytest.mark.long("programs")]

RING = """
#include <mpi.h>
int main(int argc, char **argv) {
    int rank, ranks, number = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < 3; i++) {
        MPI_Sendrecv_replace(&number, 1, MPI_INT, (rank + 1) % ranks, 7,
                             (rank + ranks - 1) % ranks, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MORE
    MPI_Finalize();
    return 0;
}
"""
CANCEL = """
    MPI_Request request;
    MPI_Irecv(0, 0, MPI_INT, 0, 99, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
"""
MGEN = """
#include "mgen.h"
int MGEN_Main(int argc, char **argv) {
    (void)argc, (void)argv;
    int rank, sent = 1, found;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    if (rank == 0) {
        MGEN_Send(&sent, 1, MGEN_INT, 1, 5, MGEN_COMM_WORLD);
    } else {
        MGEN_Recv(&found, 1, MGEN_INT, 0, 5, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
    }
    MGEN_Barrier(MGEN_COMM_WORLD);
    return 0;
}
"""


def point(folder: Path, source: str, *, trace: bool = True) -> dict:
    """A program that is measured three times."""
    (folder / "ring.c").write_text(source)
    found = make_point("a", [], "ring")
    found["workload"] |= {"source": str(folder / "ring.c"), "message_bytes": None}
    options = {"repetitions": 3, "min_repetitions": 3, "warmup": 1, "trace": trace}
    return {**found, "options": options}


def measured(job: ShardJob) -> dict:
    HardwareEngine().run(job)
    (line,) = map(json.loads, job.journal.read_text().splitlines())
    assert line["status"] == "done", (line["error"], line["log"])
    return line


def rows_of(job: ShardJob) -> list[dict]:
    return pq.read_table(job.directory / "trace-a.weft-trace").to_pylist()


def table(job: ShardJob, name: str, *columns: str) -> list[tuple[str, ...]]:
    with (job.directory / f"{name}-a.csv").open(newline="") as file:
        return [tuple(row[column] for column in columns) for row in csv.DictReader(file)]


@pytest.mark.parametrize("name", INSTALLED)
def test_one_repetition_of_the_program_is_in_the_trace_and_no_call_of_the_runner(
    name, make_job, tmp_path
):
    machine, _ = INSTALLED[name]
    need_tools(machine)
    job = make_job([point(tmp_path, RING.replace("MORE", ""))], **machine)
    line = measured(job)
    assert "notes" not in line["environment"]
    made = [(row["rank"], row["call"]) for row in rows_of(job)]
    assert made == [(r, c) for r in (0, 1) for c in ["Sendrecv"] * 3 + ["Allreduce", "Compute"]]
    assert {row["peer"] for row in rows_of(job) if row["call"] == "Sendrecv"} == {0, 1}
    assert table(job, "calls", "rank", "call", "count") == [
        (rank, f"MPI_{call}", count)
        for rank in ("0", "1")
        for call, count in (("Sendrecv_replace", "3"), ("Allreduce", "1"))
    ]
    sent = table(job, "rank_pairs", "source", "destination", "messages", "bytes")
    assert sent == [("0", "1", "3", "12"), ("1", "0", "3", "12")]
    # What is recorded is no sample; a busy machine makes weft measure three more.
    assert len((job.directory / "samples-a.csv").read_text().splitlines()) in (1 + 3, 1 + 6)


def test_the_trace_of_a_measured_program_is_replayed_on_a_network(make_job, tmp_path):
    job = make_job([point(tmp_path, RING.replace("MORE", ""))])
    measured(job)
    rows = [{**row, "compute_s": 0.0} for row in rows_of(job)]
    network = {"bandwidth_bytes_per_s": 1e9, "latency_s": 1e-3, "hop_latency_s": 0.0}
    time_s = replayed(tmp_path, rows, 2, "flow", network=network)["program_time_s"]
    # Three exchanges, and one for the sum of two ranks; each takes a latency and little more.
    assert time_s == pytest.approx(4e-3, rel=0.05)


LATE = RING.replace(
    "MORE",
    """
    double end = MPI_Wtime() + 0.1 * (1 + rank);
    while (MPI_Wtime() < end) {
    }
    MPI_Barrier(MPI_COMM_WORLD);
""",
)


def test_the_imbalance_of_computing_is_measured_and_the_wait_for_it_is_time_in_a_call(
    make_job, tmp_path
):
    job = make_job([point(tmp_path, LATE)])
    (imbalance,) = (m for m in measured(job)["metrics"] if m["metric"] == "compute_imbalance")
    # 0.2 s of 0.1 and 0.2 s, if no other load takes the processors.
    assert 1.1 < imbalance["value"] < 1.6
    waits = {
        (rank, call): float(s) for rank, call, s in table(job, "calls", "rank", "call", "time_s")
    }
    assert waits["0", "MPI_Barrier"] > 0.05
    lanes = table(job, "rank_timeline", "rank", "compute_s", "call_s")
    assert sum(float(compute) for rank, compute, _ in lanes if rank == "1") >= 0.2
    path = table(job, "critical_path", "rank", "call", "state", "time_s")
    assert path[0][:3] == ("1", "", "compute")
    assert float(path[0][3]) >= 0.2
    # Where rank 0 waits for rank 1, the path is at rank 1.
    assert sum(float(each[3]) for each in path if each[0] == "0") < 0.1


@pytest.fixture
def _one_processor():
    usual = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(usual)})
    yield
    os.sched_setaffinity(0, usual)


@pytest.mark.usefixtures("_one_processor")
def test_ranks_that_share_a_processor_leave_what_needs_no_clock_and_a_note(make_job, tmp_path):
    job = make_job([point(tmp_path, LATE)], oversubscribe=True)
    line = measured(job)
    (note,) = line["environment"]["notes"]
    assert note.startswith("ranks share processors")
    assert table(job, "rank_pairs", "source", "destination") == [("0", "1"), ("1", "0")]
    for name in ("calls", "rank_timeline", "critical_path"):
        assert not [*job.directory.glob(f"{name}-*")]
    (imbalance,) = (m for m in line["metrics"] if m["metric"] == "compute_imbalance")
    assert 1 <= imbalance["value"] <= 2


def test_a_program_of_mgen_leaves_the_calls_of_mpi_that_it_is_made_of(make_job, tmp_path):
    job = make_job([point(tmp_path, MGEN)])
    measured(job)
    calls = Counter(row["call"] for row in rows_of(job))
    assert calls["Barrier"] == 2
    assert {(row["peer"], row["bytes"], row["tag"]) for row in rows_of(job)} >= {
        (1, 4, 5),
        (0, 4, 5),
    }


def test_a_call_that_traces_do_not_have_is_a_note_beside_the_measurement(make_job, tmp_path):
    job = make_job([point(tmp_path, RING.replace("MORE", CANCEL))])
    line = measured(job)
    (note,) = line["environment"]["notes"]
    assert note == "no trace: rank 0 calls MPI_Cancel, which traces do not have"
    assert [row["metric"] for row in line["metrics"]] == ["program_time_s"]
    assert not [*job.directory.glob("*trace*"), *job.directory.glob("calls-*")]


BREAKS = 'if (getenv("WEFT_TRACE")) raise(SIGKILL);'


def test_a_recording_that_breaks_fails_the_point_so_that_another_attempt_can_make_it(
    make_job, tmp_path
):
    source = "#include <signal.h>\n#include <stdlib.h>" + RING.replace("MORE", BREAKS)
    job = make_job([point(tmp_path, source)])
    HardwareEngine().run(job)
    (line,) = map(json.loads, job.journal.read_text().splitlines())
    assert line["status"] == "failed"
    assert line["error"].startswith("it was measured, but the run that records its calls broke: ")
    assert not line["metrics"]
    assert not [*job.directory.glob("trace-*"), *job.directory.glob("recorded-*")]


def test_a_program_is_not_recorded_unless_it_is_asked_for(make_job, tmp_path):
    job = make_job([point(tmp_path, RING.replace("MORE", CANCEL), trace=False)])
    assert "notes" not in measured(job)["environment"]
    assert not list(job.directory.glob("*trace*"))
