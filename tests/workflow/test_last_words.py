"""A program that ends with an error says in the reason of its point what it wants."""

import duckdb
import pytest

pytestmark = pytest.mark.slow

PROGRAM = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc < 3) {
        if (rank == 0) {
            fprintf(stderr, "a first line\\nusage: heat WIDTH STEPS\\n");
        }
        return 2;
    }
    MPI_Finalize();
    return 0;
}
"""


def test_the_reason_of_a_failed_point_has_what_its_program_printed(project):
    (project.folder / "heat.c").write_text(PROGRAM)
    project.write(
        "heat",
        "title: Heat\nquestion: How long?\nengines: [flow]\n"
        "defaults: [override /topology: torus, override /network: gigabit,"
        " override /workload: alltoall]\ntopology: {k: 3}\n"
        "workload: {program: {sources: [heat.c]}, ranks: 2, message_size: null,"
        " arguments: []}\n"
        "sweep: {workload.ranks: [2, 3]}\n",
    )
    project.collect("heat")
    with duckdb.connect(str(project.folder / "results" / "weft.duckdb"), read_only=True) as con:
        rows = con.execute("SELECT error, log FROM last_runs WHERE status = 'failed'").fetchall()
    assert len(rows) == 2
    for error, log in rows:
        assert "ended with code 2" in error
        assert error.endswith("; it printed: usage: heat WIDTH STEPS")
        assert log == "a first line\nusage: heat WIDTH STEPS"
