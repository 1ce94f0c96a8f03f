"""Ranks that wait in a loop of calls, and ranks that others wait for although they have ended."""

import re

import pytest

from tests.mpi.test_conformance import ENGINES, mistake_of, that_does
from tests.programs.simulator import run_line, run_point

pytestmark = pytest.mark.slow

#: A window, at whose memory of this rank `seen` points.
WINDOW = (
    "MPI_Win w; volatile int *seen;"
    " MPI_Win_allocate(4, 4, MPI_INFO_NULL, W, &seen, &w); MPI_Win_lock_all(0, w);"
)
GENERAL = """static int query(void *e, MPI_Status *s) { (void)e; (void)s; return 0; }
static int freed(void *e) { (void)e; return 0; }
static int cancel(void *e, int done) { (void)e; (void)done; return 0; }
"""
NONE = "own = MPI_REQUEST_NULL;"
#: What rank 0 does while rank 1 waits in a barrier: what it begins with, the call that it repeats
#: until `x` is not 0, and its arguments.
LOOKS = [
    (NONE, "Test", "&own, &y, MPI_STATUS_IGNORE"),
    ("MPI_Recv_init(&y, 1, MPI_INT, 1, 0, W, &own);", "Test", "&own, &y, MPI_STATUS_IGNORE"),
    ("MPI_Grequest_start(query, freed, cancel, 0, &own);", "Test", "&own, &y, MPI_STATUS_IGNORE"),
    ("", "Testall", "0, 0, &y, MPI_STATUSES_IGNORE"),
    (NONE, "Testany", "1, &own, &y, ones, MPI_STATUS_IGNORE"),
    (NONE, "Testsome", "1, &own, &y, ones, MPI_STATUSES_IGNORE"),
    (NONE, "Request_get_status", "own, &y, MPI_STATUS_IGNORE"),
    (
        "MPI_Isend(&y, 1, MPI_INT, 1, 0, W, &own);",
        "Request_get_status",
        "own, &y, MPI_STATUS_IGNORE",
    ),
    ("", "Iprobe", "1, 3, W, &y, MPI_STATUS_IGNORE"),
    ("", "Iprobe", "MPI_PROC_NULL, 3, W, &y, MPI_STATUS_IGNORE"),
    (
        "MPI_Send(&y, 1, MPI_INT, 0, 3, MPI_COMM_SELF);",
        "Iprobe",
        "0, 3, MPI_COMM_SELF, &y, MPI_STATUS_IGNORE",
    ),
    (WINDOW, "Win_flush", "1, w"),
    (WINDOW, "Win_flush_local_all", "w"),
    (WINDOW, "Win_sync", "w"),
]
#: Loops of calls that do something, but take no time.
CALLS = {
    "Comm_rank": "MPI_Comm_rank(W, &y);",
    "Waitall": "MPI_Waitall(0, 0, MPI_STATUSES_IGNORE);",
    "Send": "MPI_Send(&y, 1, MPI_INT, MPI_PROC_NULL, 0, W);",
    "Allreduce": "MPI_Allreduce(&y, ones, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);",
    "Wait": "MPI_Irecv(&y, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &own);"
    " MPI_Send(ones, 1, MPI_INT, 0, 0, MPI_COMM_SELF); MPI_Wait(&own, MPI_STATUS_IGNORE);",
}


@pytest.mark.parametrize(("begin", "call", "arguments"), LOOKS)
def test_a_rank_that_looks_forever_is_a_deadlock(begin, call, arguments, tmp_path):
    loop = f"while (rank == 0 && !x) {{ MPI_{call}({arguments}); }}"
    error = mistake_of(f"{begin} {loop} MPI_Barrier(W);", tmp_path, GENERAL)
    assert f"rank 0 waits in MPI_{call} for a change that never comes" in error
    assert "rank 1 waits in MPI_Barrier" in error


@pytest.mark.parametrize("call", CALLS)
def test_a_loop_of_calls_at_one_time_is_reported(call, tmp_path):
    source = that_does(f"if (rank == 0) while (!x) {{ {CALLS[call]} }} MPI_Barrier(W);", tmp_path)
    line, _ = run_line(
        tmp_path, source, 2, None, (), None, "flow", None, {"loop_limit_s": 0.5}
    )  # fmt: skip
    assert re.match(r"rank 0 has made \d+ calls within 0.5 s of CPU time, and no ", line["error"])
    said = rf"last call MPI_({call}|Irecv|Send): an endless loop\? To allow more, raise "
    assert re.search(said + "engine.flow.loop_limit", line["error"]), line["error"]


#: What others do meanwhile ends loops that look at something else.
ENDED = {
    "a probe that finds": "MPI_Iprobe(1, 3, W, &y, MPI_STATUS_IGNORE);",
    "a test of nothing": "own = MPI_REQUEST_NULL; MPI_Test(&own, &y, MPI_STATUS_IGNORE);",
    "a flush of nothing": "MPI_Win_flush(1, w);",
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("loop", ENDED)
def test_a_rank_that_looks_sees_what_others_put(loop, engine, tmp_path):
    body = f"""{WINDOW} ones[0] = 7; MPI_Barrier(W);
        if (rank == 0) {{ while (*seen != 7) {{ {ENDED[loop]} }}
            MPI_Recv(&x, 1, MPI_INT, 1, 3, W, MPI_STATUS_IGNORE);
        }} else {{ MPI_Send(&x, 1, MPI_INT, 0, 3, W);
            MPI_Put(ones, 1, MPI_INT, 0, 0, 1, MPI_INT, w); MPI_Win_flush(0, w); }}
        MPI_Win_unlock_all(w); MPI_Win_free(&w);"""
    run_point(tmp_path, that_does(body, tmp_path), 2, engine=engine)


#: Many calls at one time that are no loop without an end.
MANY = {
    "Isend": "static MPI_Request r[200000]; for (int i = 0; i < 200000; i++) { if (rank)"
    " MPI_Isend(&x, 0, MPI_INT, 0, 0, W, r + i); else MPI_Irecv(&y, 0, MPI_INT, 1, 0, W, r + i); }"
    " MPI_Waitall(200000, r, MPI_STATUSES_IGNORE); t = MPI_Wtime();",
    "Type_size": "for (int i = 0; i < 1000000; i++) MPI_Type_size(MPI_INT, &x);",
    "Comm_rank": "for (int i = 0; i < 3000000; i++) MPI_Comm_rank(W, &x);",
    "Test": "own = MPI_REQUEST_NULL; for (int i = 0; i < 90000; i++)"
    " MPI_Test(&own, &y, MPI_STATUS_IGNORE);",
    "computing": "for (volatile long i = 0; i < 1000000000; i++)"
    " if (i % 10000 == 0) MPI_Comm_rank(W, &x);",
}


@pytest.mark.parametrize("calls", MANY)
def test_many_calls_at_one_time_are_no_loop(calls, tmp_path):
    body = f"double t = MPI_Wtime(); {MANY[calls]} if (MPI_Wtime() - t > 2e-6) return 3;"
    limit_s = 0.5 if calls == "computing" else 30.0
    run_point(tmp_path, that_does(body, tmp_path), 2, loop_limit_s=limit_s)


#: What rank 1 does instead of the barrier, and what is said about it.
GONE = [
    ("return 0;", r"rank 1 has ended with code 0 at 0 s, its last call was MPI_Comm_rank"),
    ("MPI_Finalize(); return 0;", r"rank 1 has ended with code 0 at 0 s, .* was MPI_Finalize"),
    (
        "MPI_Send(&x, 1, MPI_INT, 0, 0, W); exit(0);",
        r"rank 1 has ended with code 0 at \S+ s, its last call was MPI_Send",
    ),
]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("end", "words"), GONE)
def test_a_rank_that_ended_before_a_barrier_is_named(end, words, engine, tmp_path):
    before = "#include <stdlib.h>\n"
    body = f"if (rank == 1) {{ {end} }} MPI_Barrier(W);"
    source = that_does(body, tmp_path, before)
    line, _ = run_line(tmp_path, source, 2, None, (), None, engine, None, {})
    assert "rank 0 waits in MPI_Barrier for a message from rank 1" in line["error"]
    assert re.search(words, line["error"]), line["error"]


def test_of_many_ended_ranks_some_are_named(tmp_path):
    line, _ = run_line(
        tmp_path, that_does("if (rank) return 0; MPI_Barrier(W);", tmp_path), 9, None, (), None,
        "flow", None, {},
    )  # fmt: skip
    assert "; rank 4 has ended with code 0" in line["error"]
    assert line["error"].endswith("; and 4 more ranks have ended")
