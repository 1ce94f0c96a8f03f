"""Measured programs that fork, and programs whose threads call MPI."""

import json
from pathlib import Path

import pytest
from weft.engines.hardware.engine import HardwareEngine

from tests.hardware.conftest import make_point
from tests.hardware.test_flavours import INSTALLED, measured, need_tools

pytestmark = [pytest.mark.slow, pytest.mark.long("programs")]

FORKING = """
#include <mpi.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int status = 0;
    MPI_Init(&argc, &argv);
    if (fork() == 0) {
        END;
    }
    wait(&status);
    MPI_Finalize();
    return WIFEXITED(status) && WEXITSTATUS(status) == 5 ? 0 : 1;
}
"""
#: Rank 0 sends from a second thread while the first one waits in MPI.
THREADED = """
#include <mpi.h>
#include <pthread.h>
static void *send(void *nothing) {
    int number = 1;
    MPI_Send(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    return nothing;
}
int main(int argc, char **argv) {
    int level, rank, number = 2;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, LEVEL, &level);
    if (level < LEVEL) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, send, NULL);
        MPI_Recv(&number, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_join(thread, NULL);
    } else {
        MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
"""
FUNNELED = """
#include <mpi.h>
int main(int argc, char **argv) {
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""


def point(folder: Path, source: str, **options: object) -> dict:
    """A program that is measured three times."""
    (folder / "program.c").write_text(source)
    found = make_point("a", [], "program")
    found["workload"] |= {"source": str(folder / "program.c"), "message_bytes": None}
    return {**found, "options": {"repetitions": 3, "min_repetitions": 3, "warmup": 1, **options}}


@pytest.mark.parametrize("end", ["exit(5)", "return 5"])
def test_a_process_that_a_program_forks_ends_by_itself(end, make_job, tmp_path):
    line = measured(HardwareEngine(), make_job([point(tmp_path, FORKING.replace("END", end))]))
    assert "ending_problem" not in line["environment"]


@pytest.mark.parametrize("name", INSTALLED)
def test_threads_of_a_rank_call_mpi_at_once_where_the_program_asks_for_it(name, make_job, tmp_path):
    machine, _ = INSTALLED[name]
    need_tools(machine)
    source = THREADED.replace("LEVEL", "MPI_THREAD_MULTIPLE")
    line = measured(HardwareEngine(), make_job([point(tmp_path, source)], **machine))
    assert line["environment"]["threads"] == "multiple"


def test_a_program_of_one_thread_is_measured_without_locks_of_mpi(make_job, tmp_path):
    line = measured(HardwareEngine(), make_job([point(tmp_path, FUNNELED)]))
    assert "threads" not in line["environment"]


def test_calls_of_several_threads_make_no_trace(make_job, tmp_path):
    source = THREADED.replace("LEVEL", "MPI_THREAD_MULTIPLE")
    job = make_job([point(tmp_path, source, trace=True)])
    line = measured(HardwareEngine(), job)
    assert json.dumps(line["environment"]["notes"]).count("MPI_THREAD_MULTIPLE") == 1
    assert not (job.directory / "trace-a.weft-trace").exists()
