"""The critical path of a program and what its ranks do over time, on every engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.programs.simulator import simulated
from tests.programs.test_calls_and_pairs import LATE, PROGRAMS, rows

pytestmark = pytest.mark.slow
SIMULATORS = ["flow", "packet", "rdma", "anet"]
TABLES = ["rank_timeline", "critical_path"]
STATES = ("compute_s", "software_s", "network_s", "waiting_s")


@pytest.mark.parametrize("engine", SIMULATORS)
def test_the_path_leads_through_the_late_rank(engine: str, tmp_path: Path) -> None:
    source = tmp_path / "late.c"
    source.write_text(LATE)
    done = simulated(tmp_path, source, 2, engine=engine, tables=TABLES)
    path = rows(tmp_path, "critical_path")
    longest = path[0]
    assert (longest["rank"], longest["call"], longest["time_s"]) == ("0", "MGEN_Comp", "0.001")
    assert done["compute_imbalance"] == 2
    assert done["waiting_imbalance"] == pytest.approx(2, rel=0.1)


@pytest.mark.parametrize("engine", SIMULATORS)
def test_the_path_and_the_ranks_add_up_to_the_time(engine: str, tmp_path: Path) -> None:
    source = PROGRAMS / "alltoall_pairwise.c"
    ranks = 2 if engine == "anet" else 8  # a router of anet has two ports for nodes
    done = simulated(
        tmp_path, source, ranks, [1024], ("{message_bytes}",), engine=engine, tables=TABLES
    )
    time_s = done["program_time_s"]
    path = rows(tmp_path, "critical_path")
    assert sum(float(row["time_s"]) for row in path) == pytest.approx(time_s, rel=1e-9)
    assert any(row["state"] == "network" and row["source"] != row["rank"] for row in path)
    of_ranks: dict[str, float] = {}
    for row in rows(tmp_path, "rank_timeline"):
        spent_s = sum(float(row[state]) for state in STATES)
        assert spent_s == pytest.approx(float(row["end_s"]) - float(row["start_s"]), rel=1e-6)
        of_ranks[row["rank"]] = of_ranks.get(row["rank"], 0.0) + spent_s
    assert len(of_ranks) == ranks
    assert max(of_ranks.values()) == pytest.approx(time_s, rel=1e-9)


def test_of_many_ranks_the_timeline_has_quantiles(tmp_path: Path) -> None:
    source = PROGRAMS / "halo_exchange.c"
    arguments = ("{message_bytes}", "5x5x5", "3", "1e-5")
    simulated(tmp_path, source, 125, [4096], arguments, engine="flow", tables=TABLES)
    found = rows(tmp_path, "rank_timeline")
    shares = sorted({float(row["quantile"]) for row in found})
    assert (len(shares), shares[0], shares[-1]) == (64, 0, 1)
    waits: dict[float, float] = {}
    for row in found:
        share = float(row["quantile"])
        waits[share] = waits.get(share, 0.0) + float(row["waiting_s"])
    assert [waits[share] for share in shares] == sorted(waits.values())
