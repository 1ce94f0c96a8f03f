"""What engines say about programs: calls as the program writes them, and one value of a metric."""

from pathlib import Path

import pytest

from tests.hardware.test_programs import run_program
from tests.programs.simulator import run_point, simulated

pytestmark = pytest.mark.slow
SIMULATORS = ["flow", "packet", "rdma"]
OTHER = "1 - rank, 0, MPI_COMM_WORLD"
#: What ranks of two do, and what a message about it says.
MISTAKES = [
    (f"MPI_Recv(&x, 1, MPI_INT, {OTHER}, MPI_STATUS_IGNORE);", "waits in MPI_Recv for a message"),
    ("MPI_Send(&x, 1, MPI_INT, 7, 0, MPI_COMM_WORLD);", "MPI_Send: rank 7 does not exist"),
    ("MPI_Send(&x, 1, MPI_INT, 1 - rank, -5, MPI_COMM_WORLD);", "cannot have tag -5"),
    (
        "if (rank) MPI_Barrier(MPI_COMM_WORLD); else MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);",
        "calls MPI_Bcast with root 0 instead of MPI_Barrier",
    ),
    ("MPI_Bcast(&x, -1, MPI_INT, 0, MPI_COMM_WORLD);", "MPI_Bcast: a count is negative"),
    ("MPI_Barrier(MPI_COMM_NULL);", "MPI_COMM_NULL has no ranks"),
    ("MPI_Barrier(MPI_COMM_WORLD); if (rank) *(volatile int *)8 = 1;", "last call MPI_Barrier"),
    ("while (MPI_Wtime() >= 0) {}", "asked for the time in a loop, for more than 1e6 s"),
    ("MPI_Abort(MPI_COMM_WORLD, 3);", "MPI_Abort: the program ended itself"),
    ("MPI_Sendd(&x, 1, MPI_INT);", "did you mean 'MPI_Send'?"),
    ("MPI_Wait((MPI_Request *)&rank + 1 - 1, MPI_STATUS_IGNORE);", "MPI_Wait: 1 is not a request"),
]


def plain(folder: Path, body: str) -> Path:
    source = folder / "plain.c"
    source.write_text(
        "#include <mpi.h>\nint main(int argc, char **argv) {\n"
        "    int rank, x = 0;\n    MPI_Init(&argc, &argv);\n"
        "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    (void)x;\n"
        f"    {body}\n    MPI_Finalize();\n    return 0;\n}}\n"
    )
    return source


@pytest.mark.parametrize("engine", SIMULATORS)
@pytest.mark.parametrize(("body", "words"), MISTAKES)
def test_a_message_names_calls_as_an_mpi_program_writes_them(engine, body, words, tmp_path):
    source = plain(tmp_path, body)
    with pytest.raises(AssertionError) as failed:
        simulated(tmp_path, source, 2, engine=engine)
    error = str(failed.value).partition("\nassert ")[0]
    assert words in error
    assert "MGEN" not in error


@pytest.mark.parametrize("engine", SIMULATORS)
def test_a_history_and_a_log_name_calls_as_an_mpi_program_writes_them(engine, tmp_path):
    source = plain(tmp_path, f"MPI_Send(&x, 1, MPI_INT, {OTHER}); MPI_Barrier(MPI_COMM_WORLD);")
    _, log = run_point(tmp_path, source, 2, engine=engine, tables=["history"])
    history = (tmp_path / "out" / "history-p.json").read_text()
    assert '"name":"MPI_Send"' in history
    assert '"name":"MPI_Barrier"' in history
    assert "never received" in log
    assert "MGEN" not in history + log


TWICE = """#include "mgen.h"
int MGEN_Main(int argc, char **argv) {
    (void)argc;
    (void)argv;
    MGEN_Sample("program_time_s", 1.0);
    return 0;
}
"""
REFUSED = "MGEN_Sample: weft measures program_time_s itself; give this time another name"


@pytest.mark.parametrize("engine", SIMULATORS)
def test_a_program_cannot_report_what_weft_measures(engine, tmp_path):
    """The metric would have two values."""
    source = tmp_path / "twice.c"
    source.write_text(TWICE)
    with pytest.raises(AssertionError, match=f"rank 0: {REFUSED}"):
        simulated(tmp_path, source, 2, engine=engine)


def test_a_measured_program_cannot_report_what_weft_measures(tmp_path):
    source = tmp_path / "twice.c"
    source.write_text(TWICE)
    done = run_program(source, "--output", tmp_path / "x.csv")
    assert done.returncode != 0
    assert f"rank 0: {REFUSED}" in done.stderr
