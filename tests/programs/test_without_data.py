"""Messages with sizes and no data: what a program then reads is the same in every run."""

import textwrap
from pathlib import Path

import pytest

from tests.programs.simulator import run_line, simulated

pytestmark = pytest.mark.slow


def source(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "program.c"
    path.write_text(textwrap.dedent(text))
    return path


def test_a_reduction_adds_zeros_to_the_own_values_of_a_rank(tmp_path: Path) -> None:
    program = source(
        tmp_path,
        """
        #include <mgen.h>
        int MGEN_Main(int argc, char **argv) {
            double mine = 2.0;
            double all = 77.0;
            int rank;
            MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
            MGEN_Reduce(&mine, &all, 1, MGEN_DOUBLE, MGEN_SUM, 0, MGEN_COMM_WORLD);
            MGEN_Bcast(&mine, 1, MGEN_DOUBLE, 0, MGEN_COMM_WORLD);
            MGEN_Sample("sum_s", rank == 0 ? all : 0.0);
            MGEN_Sample("broadcast_s", rank == 0 ? 0.0 : mine);
            return 0;
        }
        """,
    )
    metrics = simulated(tmp_path, program, 5, payload="sizes")
    assert (metrics["sum_s"], metrics["broadcast_s"]) == (2.0, 0.0)


def test_memory_of_the_library_begins_as_zeros(tmp_path: Path) -> None:
    """The same places held other values before."""
    program = source(
        tmp_path,
        """
        #include <mpi.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        enum { SIZE = 40000 };
        int main(int argc, char **argv) {
            int rank, wrong = 0;
            char *made, *used, *column;
            MPI_Datatype every_other;
            MPI_Init(&argc, &argv);
            MPI_Comm_rank(MPI_COMM_WORLD, &rank);
            used = malloc(SIZE);
            memset(used, 7, SIZE);
            free(used);
            MPI_Alloc_mem(SIZE, MPI_INFO_NULL, &made);
            for (int i = 0; i < SIZE; i++) wrong += made[i] != 0;
            memset(made, 7, SIZE);
            MPI_Free_mem(made);
            MPI_Type_vector(SIZE, 1, 2, MPI_CHAR, &every_other);
            MPI_Type_commit(&every_other);
            column = calloc(SIZE, 2);
            MPI_Bcast(column, 1, every_other, 0, MPI_COMM_WORLD);
            for (int i = 0; i < 2 * SIZE; i++) wrong += column[i] != 0;
            if (wrong) fprintf(stderr, "%d bytes of rank %d are not zeros\\n", wrong, rank);
            MPI_Finalize();
            return wrong ? 3 : 0;
        }
        """,
    )
    simulated(tmp_path, program, 3, payload="sizes")


def test_a_window_is_refused(tmp_path: Path) -> None:
    program = source(
        tmp_path,
        """
        #include <mpi.h>
        int main(int argc, char **argv) {
            int memory[4];
            MPI_Win window;
            MPI_Init(&argc, &argv);
            MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
            MPI_Win_free(&window);
            MPI_Finalize();
            return 0;
        }
        """,
    )
    options = {"payload": "sizes"}
    line, _ = run_line(tmp_path, program, 2, None, (), None, "rdma", None, options)
    assert line["status"] == "failed"
    assert "windows need payload: delivered" in line["error"]
