"""Tables and history of a simulated all-to-all on a torus of 8 × 8 × 4, as people get them."""

import json
from itertools import pairwise
from shutil import copytree, rmtree

import pyarrow.parquet as pq
import pytest
from weft.analysis.pulses import pulses_of_rows
from weft.engines import engine
from weft.engines.execute import run_shard
from weft.machine import MachineFile
from weft.plan import expand

from tests.config.conftest import SHIPPED, Tree

pytestmark = pytest.mark.slow

EXCHANGE = """
#include "mgen.h"
#include <stdlib.h>

int MGEN_Main(int argc, char **argv) {
    int rank, ranks, bytes = atoi(argv[argc - 1]);
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &ranks);
    for (int step = 1; step < ranks; step++) {
        MGEN_Sendrecv(NULL, bytes, MGEN_BYTE, rank ^ step, 0, NULL, bytes, MGEN_BYTE, rank ^ step,
                      0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
    }
    MGEN_Barrier(MGEN_COMM_WORLD);
    return 0;
}
"""
EXPERIMENT = """
engines: [rdma]
defaults: [override /topology: torus, override /network: opennsim_table3,
           override /workload: pingpong]
topology: {sizes: [8, 8, 4], ties: plus}
workload: {program: exchange, message_size: 16 KiB, ranks: 256}
engine: {rdma: {tables: [series, links, messages, congestion, history], payload: sizes,
                series_interval: 2 us, congestion_ports: 100}}
"""
RANKS, LINKS = 256, 2 * 256 + 6 * 256


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where a run has left its tables."""
    root = tmp_path_factory.mktemp("project")
    copytree(SHIPPED, root / "configs")
    rmtree(root / "configs" / "experiment")
    (root / "configs" / "experiment").mkdir()
    tree = Tree(root)
    tree.write("experiment/exchange.c", EXCHANGE)
    tree.experiment(EXPERIMENT)
    (point,) = expand(tree.load())
    shard = {
        "schema": 1,
        "engine": "rdma",
        "engine_version": engine("rdma").version(MachineFile(), None),
        "shard": "b" * 12,
        "attempts": {},
        "points": [{"point_id": point.point_id, **point.spec}],
    }
    (root / "shard.json").write_text(json.dumps(shard))
    out = root / "results" / "x" / "rdma" / "b"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        run_shard(root / "shard.json", None, None, out, 1, root / "run.log")
    assert (out / "status.json").exists(), (root / "run.log").read_text()
    return out


def rows(folder, table):
    return pq.read_table(folder / f"{table}.parquet").to_pylist()


@pytest.fixture(scope="module")
def series(folder):
    """Per metric and label the rows, in order of time."""
    found = {}
    for row in rows(folder, "series"):
        found.setdefault((row["metric"], row["label"]), []).append(row)
    return found


@pytest.fixture(scope="module")
def metrics(folder):
    return {row["metric"]: row["value"] for row in rows(folder, "metrics")}


def test_throughput_pulses_as_often_as_partners_are_half_a_ring_away(series):
    """y · z, z and 1 times, as OpenNSIM's paper says of its torus."""
    found = pulses_of_rows(
        [
            (row["start_s"], row["end_s"], label, row["value"])
            for (metric, label), rows in series.items()
            if metric == "link_throughput_bytes_per_s"
            for row in rows
        ]
    )
    assert {axis: len(pulses) for axis, pulses in found.items()} == {"x": 32, "y": 4, "z": 1}


def test_latency_and_congestion_rise_with_the_pulses_of_x(series):
    """OpenNSIM, claim of section 4: both rise in the same moments and fall after them."""
    plus, minus = (series["link_throughput_bytes_per_s", label] for label in ("x+", "x-"))
    leads = {
        up["start_s"]
        for up, down in zip(plus, minus, strict=True)
        if up["value"] > 2 * down["value"]
    }
    for metric, factor in (("network_latency_s", 1.2), ("congestion_ratio", 1)):
        within = [row["value"] for row in series[metric, None] if row["start_s"] in leads]
        outside = [row["value"] for row in series[metric, None] if row["start_s"] not in leads]
        assert sum(within) / len(within) > factor * sum(outside) / len(outside), metric


def test_series_cover_the_run_and_add_up(series, metrics, folder):
    throughput = {
        label: rows
        for (metric, label), rows in series.items()
        if metric == "link_throughput_bytes_per_s"
    }
    for rows_of_class in throughput.values():
        assert rows_of_class[0]["start_s"] == 0
        assert all(a["end_s"] == b["start_s"] for a, b in pairwise(rows_of_class))
        assert rows_of_class[-1]["end_s"] >= metrics["program_time_s"]
    carried = sum(
        row["value"] * (row["end_s"] - row["start_s"]) * RANKS
        for rows_of_class in throughput.values()
        for row in rows_of_class
    )
    assert carried == pytest.approx(sum(row["bytes"] for row in rows(folder, "links")), rel=1e-9)
    shares = [label for metric, label in series if metric == "link_share"]
    assert len(shares) == 10
    for at in zip(*(series["link_share", label] for label in shares), strict=True):
        assert sum(row["value"] for row in at) == pytest.approx(1)


def test_metrics_agree_with_links_and_messages(folder, metrics):
    links, messages = rows(folder, "links"), rows(folder, "messages")
    assert len(links) == LINKS
    time_s = metrics["program_time_s"]
    busy = [row["busy_s"] / time_s for row in links]
    assert metrics["link_busy_mean"] == pytest.approx(sum(busy) / LINKS)
    assert metrics["link_busy_max"] == pytest.approx(max(busy))
    assert metrics["link_busy_max"] <= 1
    exchanged = [row for row in messages if row["bytes"] == 16384]
    assert len(exchanged) == RANKS * (RANKS - 1)
    assert metrics["messages"] == len(messages)
    assert metrics["payload_bytes"] == sum(row["bytes"] for row in messages)
    assert metrics["effective_bandwidth_bytes_per_s"] == metrics["payload_bytes"] / time_s
    latencies = [row["finish_s"] - row["start_s"] for row in messages]
    assert metrics["communication_latency_mean_s"] == pytest.approx(sum(latencies) / len(latencies))
    assert metrics["communication_latency_max_s"] == pytest.approx(max(latencies))


def test_congested_ports_are_ranked_and_blocked_for_a_part_of_the_run(folder):
    found = rows(folder, "congestion")
    assert len(found) == 100
    assert found == sorted(found, key=lambda row: -row["blocked_s"])
    for row in found:
        assert 0 < row["blocked_share"] <= 1
        assert row["packets_blocked"] > 0
        assert row["link"] == f"{row['port']}/{row['router']}"


def test_the_history_opens_in_viewers_of_traces(folder):
    """Chrome's Trace Event Format: fields, places, nesting, order of flows."""
    (file,) = rows(folder, "files")
    path = folder.parents[2] / file["path"]
    trace = json.loads(path.read_text())
    assert path.stat().st_size == file["bytes"]
    assert trace["displayTimeUnit"] == "ns"
    by_phase = {}
    for event in trace["traceEvents"]:
        by_phase.setdefault(event["ph"], []).append(event)
    assert set(by_phase) == {"M", "X", "s", "f"}
    named = {(e["name"], e["pid"], e.get("tid")): e["args"]["name"] for e in by_phase["M"]}
    assert len(named) == len(by_phase["M"]) == 2 * RANKS
    assert named["thread_name", 8, 8] == "rank 7"
    assert all(("thread_name", e["pid"], e["tid"]) in named for e in by_phase["X"])
    ends = {event["id"]: event for event in by_phase["f"]}
    assert len(ends) == len(by_phase["s"]) == len(rows(folder, "messages"))
    for start in by_phase["s"]:
        end = ends[start["id"]]
        assert (start["args"]["to"], end["args"]["from"]) == (end["tid"] - 1, start["tid"] - 1)
        assert start["ts"] <= end["ts"]
    assert {event["name"] for event in by_phase["X"]} >= {"MGEN_Sendrecv", "MGEN_Barrier"}
    calls = {}
    for event in by_phase["X"]:
        calls.setdefault(event["tid"], []).append(event)
    for of_rank in calls.values():
        check_nesting(of_rank)


def check_nesting(calls):
    """Calls of one rank follow one another, or lie within one another."""
    open_until = []
    for call in sorted(calls, key=lambda call: (call["ts"], -call["dur"])):
        end = call["ts"] + call["dur"]
        while open_until and open_until[-1] <= call["ts"] + 1e-7:
            open_until.pop()
        assert not open_until or end <= open_until[-1] + 1e-7
        open_until.append(end)
