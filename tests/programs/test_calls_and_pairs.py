"""The tables of a program's calls, and of what its ranks send to each other."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.programs.simulator import ROOT, run_point, simulated

pytestmark = pytest.mark.slow
SIMULATORS = ["flow", "packet", "rdma"]
PROGRAMS = ROOT / "programs"
TABLES = ["calls", "rank_pairs", "messages"]
#: Rank 0 computes for 1 ms before it sends, so rank 1 waits for that long.
LATE = """#include "mgen.h"
int MGEN_Main(int argc, char **argv) {
    int rank, x = 0;
    (void)argc;
    (void)argv;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    if (rank == 0) {
        MGEN_Comp(1e-3);
        MGEN_Send(&x, 1, MGEN_INT, 1, 0, MGEN_COMM_WORLD);
    } else {
        MGEN_Recv(&x, 1, MGEN_INT, 0, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
    }
    MGEN_Barrier(MGEN_COMM_WORLD);
    return 0;
}
"""


def rows(folder: Path, table: str) -> list[dict[str, str]]:
    with (folder / "out" / f"{table}-p.csv").open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("engine", SIMULATORS)
def test_a_rank_waits_in_the_call_that_receives(engine: str, tmp_path: Path) -> None:
    source = tmp_path / "late.c"
    source.write_text(LATE)
    run_point(tmp_path, source, 2, engine=engine, tables=TABLES)
    found = {(row["rank"], row["call"]): row for row in rows(tmp_path, "calls")}
    assert list(found) == [
        ("0", "MGEN_Comp"), ("0", "MGEN_Send"), ("0", "MGEN_Barrier"),
        ("1", "MGEN_Recv"), ("1", "MGEN_Barrier"),
    ]  # fmt: skip
    assert all(row["count"] == "1" for row in found.values())
    computing, receiving = found["0", "MGEN_Comp"], found["1", "MGEN_Recv"]
    assert (computing["time_s"], computing["waiting_s"]) == ("0.001", "0")
    assert float(receiving["waiting_s"]) > 1e-3
    assert float(receiving["time_s"]) >= float(receiving["waiting_s"])


@pytest.mark.parametrize("engine", SIMULATORS)
@pytest.mark.parametrize("program", ["alltoall_bruck", "alltoall_pairwise", "allreduce"])
def test_pairs_add_up_to_the_messages_and_calls_to_the_time(
    engine: str, program: str, tmp_path: Path
) -> None:
    source = PROGRAMS / f"{program}.c"
    done = simulated(
        tmp_path, source, 8, [1024], ("{message_bytes}",), engine=engine, tables=TABLES
    )
    sent: dict[tuple[str, str], list[int]] = {}
    for message in rows(tmp_path, "messages"):
        count = sent.setdefault((message["src"], message["dst"]), [0, 0])
        count[0] += 1
        count[1] += int(message["bytes"])
    # A rank has a node of its own, of the same number.
    pairs = {
        (row["source"], row["destination"]): [int(row["messages"]), int(row["bytes"])]
        for row in rows(tmp_path, "rank_pairs")
    }
    assert pairs == sent
    times: dict[str, float] = {}
    for row in rows(tmp_path, "calls"):
        times[row["rank"]] = times.get(row["rank"], 0.0) + float(row["time_s"])
        assert 0 <= float(row["waiting_s"]) <= float(row["time_s"])
    # These programs compute nothing, so a rank is in a call all the time.
    assert max(times.values()) == pytest.approx(done["program_time_s"], rel=1e-9)


def test_tables_change_no_metric(tmp_path: Path) -> None:
    asked: tuple[list[str], ...] = ([], [*TABLES, "rank_timeline", "critical_path"])
    plain, watched = (
        simulated(
            tmp_path, PROGRAMS / "alltoall_pairwise.c", 8, [1024], ("{message_bytes}",),
            tables=tables
        )
        for tables in asked
    )  # fmt: skip
    assert plain.items() <= watched.items()


#: Of `fetches.c`, each time, to the window: a put of 8 B, sums of 8 B, 8 B and 16 B, and two
#: numbers of 4 B to compare and swap.
TO_B = 8 + 8 + 8 + 16 + 2 * 4
#: From it: a get of 8 B, old values of 8 B, 16 B and 4 B, and 16 B without an operation.
FROM_B = 8 + 8 + 16 + 16 + 4


@pytest.mark.parametrize("engine", [*SIMULATORS, "anet"])
def test_data_that_an_atomic_operation_fetches_are_payload(engine: str, tmp_path: Path) -> None:
    source, times = ROOT / "tests" / "programs" / "fetches.c", 100
    options = {"engine": engine, "tables": TABLES, "stack_bytes": 1 << 18}
    none = simulated(tmp_path, source, 2, None, ("0",), **options)
    done = simulated(tmp_path, source, 2, None, (str(times),), **options)
    more = {name: done[name] - none[name] for name in ("messages", "payload_bytes")}
    # Five of the seven accesses bring data, five fetch some.
    assert more == {"messages": 10 * times, "payload_bytes": (TO_B + FROM_B) * times}
    pairs = rows(tmp_path, "rank_pairs")
    assert sum(int(row["bytes"]) for row in pairs) <= done["payload_bytes"]
    assert sum(int(row["messages"]) for row in pairs) <= done["messages"]
