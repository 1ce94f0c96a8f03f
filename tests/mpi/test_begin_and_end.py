"""Calls before MPI begins and after it has ended, and what is left then."""

import pytest

from tests.mpi.test_conformance import ENGINES, that_does
from tests.programs.simulator import run_point, simulated

pytestmark = pytest.mark.slow

#: What a program calls before MPI_Init, and what is said about it; nothing if it may.
EARLY = [
    ("MPI_Send(all, 1, MPI_INT, 1, 0, W)", "MPI_Send: it is called before MPI_Init"),
    ("MPI_Comm_size(W, all)", "MPI_Comm_size: it is called before MPI_Init"),
    (
        "MPI_Allreduce(all, all, 1, MPI_LONG_DOUBLE, MPI_SUM, W)",
        "MPI_Allreduce: it is called before",
    ),
    ("MPI_Type_contiguous(2, MPI_INT, &type)", "MPI_Type_contiguous: it is called before MPI_Init"),
    ("MPI_Finalize()", "MPI_Finalize: it is called before MPI_Init"),
    ("MPI_Wtime()", "MPI_Wtime: it is called before MPI_Init"),
    ("MPI_Initialized(all); MPI_Finalized(all); MPI_Get_version(all, all)", ""),
]


@pytest.mark.parametrize(("call", "words"), EARLY)
def test_calls_before_init_are_refused_but_for_those_that_ask(call, words, tmp_path):
    before = "static int all[16]; static MPI_Datatype type;\n"
    before += f"__attribute__((constructor)) static void begin(void) {{ (void)type; {call}; }}\n"
    if words:
        with pytest.raises(AssertionError, match=words):
            simulated(tmp_path, that_does("", tmp_path, before), 2)
    else:
        simulated(tmp_path, that_does("", tmp_path, before), 2)


@pytest.mark.parametrize("engine", ENGINES)
def test_receives_that_no_message_completes_are_reported(engine, tmp_path):
    body = "if (rank) { MPI_Irecv(&x, 1, MPI_INT, 0, 7, W, &own); }"
    _, log = run_point(tmp_path, that_does(body, tmp_path), 2, engine=engine)
    assert "a receive was never completed: rank 1 expects a message from rank 0 with tag 7" in log
    body += " if (!rank) { MPI_Send(&x, 1, MPI_INT, 1, 7, W); }"
    _, log = run_point(tmp_path, that_does(body, tmp_path), 2, engine=engine)
    assert "never" not in log
