"""A simulated point whose result does not fit what its network counted is flagged."""

import json
from pathlib import Path

import pytest
from weft.engines.base import ShardJob
from weft.engines.fitting import judged
from weft.engines.journal import append, read_journal
from weft.engines.results import write_results
from weft.engines.shards import resolve
from weft.engines.side_tables import side_tables
from weft.plan.outcome import read_outcome
from weft.tables import read_table

from tests.engines.test_shards import POINT, journal_line, shard
from tests.programs import simulator

ID = POINT["point_id"]
WORKLOAD = {
    "kind": "program",
    "program": "two",
    "source": "programs/two.c",
    "ranks": 2,
    "message_bytes": None,
}
#: Two messages of 500 B between two ranks, each on a node of its own.
METRICS = {
    "program_time_s": (2e-6, "s"),
    "step_time_s": (1e-6, "s"),
    "effective_bandwidth_bytes_per_s": (5e8, "B/s"),
    "network_latency_max_s": (3e-6, "s"),
    "messages": (2.0, "1"),
    "payload_bytes": (1000.0, "B"),
    "wire_bytes": (1080.0, "B"),
}
TABLES = {
    "messages": (
        "message_id,src,dst,bytes,start_s,finish_s",
        ["0,0,1,500,0,1e-6", "1,1,0,500,1e-6,3e-6"],
    ),
    "rank_pairs": ("source,destination,messages,bytes", ["0,1,1,500", "1,0,1,500"]),
    "links": (
        "link,class,source,target,bytes,busy_s,utilisation",
        ["0,injection,0,1,540,1e-6,0.5", "1,injection,1,0,540,1e-6,0.5"],
    ),
    "calls": (
        "rank,call,count,time_s,waiting_s",
        ["0,MPI_Send,1,1e-6,0", "1,MPI_Recv,1,2e-6,1e-6"],
    ),
    "rank_timeline": (
        "rank,quantile,start_s,end_s,compute_s,software_s,network_s,waiting_s",
        ["0,,0,1e-6,0,1e-6,0,0", "1,,0,2e-6,0,0,2e-6,0"],
    ),
    "critical_path": (
        "rank,call,state,source,destination,pieces,time_s",
        ["0,MPI_Send,software,0,0,1,1e-6", "1,MPI_Recv,network,0,1,1,1e-6"],
    ),
}


def flags(folder: Path, metrics: dict[str, float], tables: dict[str, list[str]]) -> dict[str, str]:
    """Writes what a simulator left, with other values and rows; the flag of each metric."""
    point = {**POINT, "workload": WORKLOAD}
    resolved = resolve(shard([point]), None)
    job = ShardJob(resolved, folder / "input.json", folder, 1, folder / "run.log")
    values = {name: (metrics.get(name, value), unit) for name, (value, unit) in METRICS.items()}
    rows = [
        {"metric": name, "message_bytes": None, "value": value, "unit": unit}
        for name, (value, unit) in values.items()
        if value is not None
    ]
    append(job.journal, {**journal_line(resolved["points"][0]["digest"]), "metrics": rows})
    for name, (header, lines) in TABLES.items():
        text = "\n".join([header, *tables.get(name, lines)])
        (folder / f"{name}-{ID}.csv").write_text(f"{text}\n")
    write_results(job, None)
    [run] = read_table("runs", folder / "runs.parquet").to_pylist()
    found = read_table("metrics", folder / "metrics.parquet").to_pylist()
    outcome = read_outcome(folder)
    assert outcome is not None
    assert outcome.done == (ID,)
    assert (run["flag"] is not None) == (outcome.flagged == (ID,))
    # The journal keeps what the simulator said.
    assert all("flag" not in line for line in read_journal(job.journal))
    return {row["metric"]: row["flag"] for row in found}


def test_what_fits_is_not_flagged(tmp_path: Path) -> None:
    """Packets may arrive when the program has ended."""
    assert set(flags(tmp_path, {}, {}).values()) == {None}


def test_a_time_that_the_run_has_no_room_for_is_flagged_alone(tmp_path: Path) -> None:
    found = flags(tmp_path, {"step_time_s": 5.0}, {})
    assert [name for name, flag in found.items() if flag] == ["step_time_s"]
    assert found["step_time_s"] == (
        "not what the network counted: step_time_s is 5 s, but the run takes 2e-06 s"
    )


CONTRADICTIONS = {
    "missing": ({"wire_bytes": None}, {}, "wire_bytes is missing"),
    "negative": ({"step_time_s": -1.0}, {}, "step_time_s is -1"),
    "halves": ({"messages": 2.5}, {}, "messages is 2.5"),
    "rate": ({"effective_bandwidth_bytes_per_s": 1e12}, {}, "but payload_bytes is 1000 B"),
    "time": ({"program_time_s": 1e-9}, {}, "effective_bandwidth_bytes_per_s"),
    "messages": ({}, {"messages": TABLES["messages"][1] * 2}, "there are 4, but messages is 2"),
    "payload": ({}, {"messages": ["0,0,1,1001,0,1e-6"]}, "carry 1001 B, but payload_bytes is 1000"),
    "bytes": ({"wire_bytes": 400.0}, {}, "nodes send 1000 B"),
    "pair bytes": ({}, {"rank_pairs": ["0,1,1,1001"]}, "carry 1001 B, but payload_bytes is 1000"),
    "tables": ({}, {"rank_pairs": ["0,1,1,500"]}, "has 2 messages, but rank_pairs 1"),
    "node": ({}, {"messages": ["0,0,99,500,0,1e-6"]}, "a node 99, but the point has 9"),
    "late": ({}, {"messages": ["0,0,1,500,1,2"]}, "a message starts at 1 s"),
    "back": ({}, {"messages": ["0,0,1,500,1e-6,0"]}, "ends before it starts"),
    "pairs": ({}, {"rank_pairs": ["0,1,7,500"]}, "there are 7, but messages is 2"),
    "rank": ({}, {"rank_pairs": ["0,2,1,500"]}, "a rank 2, but the point has 2"),
    "link": ({}, {"links": ["0,injection,0,1,9999,1e-6,0.5"]}, "a link carries 9999 B"),
    "wait": ({}, {"calls": ["0,MPI_Send,1,1e-6,1"]}, "waits for longer than it takes"),
    "timeline": (
        {},
        {"rank_timeline": ["0,,0,1,0,1,0,0"]},
        "an interval ends at 1 s, but the run takes 2e-06 s",
    ),
    "path": (
        {},
        {"critical_path": ["0,MPI_Send,software,0,0,1,1"]},
        "the path takes 1 s, but the run 2e-06 s",
    ),
}


@pytest.mark.parametrize("kind", CONTRADICTIONS)
def test_a_result_that_contradicts_itself_is_flagged_as_a_whole(tmp_path: Path, kind: str) -> None:
    metrics, tables, reason = CONTRADICTIONS[kind]
    found = flags(tmp_path, metrics, tables)
    assert all(
        flag and flag.startswith("not what the network counted: ") for flag in found.values()
    )
    assert reason in next(iter(found.values()))


@pytest.mark.slow
@pytest.mark.parametrize(
    "program", ["mpi/messages", "mpi/windows", "mpi/own_windows", "programs/fetches"]
)
def test_nothing_that_a_simulator_computes_is_flagged(tmp_path: Path, program: str) -> None:
    """Two ranks of each node, and messages of all kinds; `fetches` does little but fetch."""
    tables = [*TABLES]
    source, arguments = simulator.ROOT / "tests" / f"{program}.c", ("100",)
    options = {"tables": tables, "ranks_per_node": 2}
    line, _ = simulator.run_line(tmp_path, source, 8, None, arguments, None, "flow", None, options)
    assert line["status"] == "done", line["error"]
    [point] = json.loads((tmp_path / "in.json").read_text())["points"]
    parts = side_tables(tmp_path / "out", tables, ["p"]).of_points["p"]
    assert parts.keys() == TABLES.keys()
    assert judged(point, line, parts) == line
