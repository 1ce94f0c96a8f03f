"""Tables of `packet` under programs add up to its counters, and agree with those of `rdma`."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from tests.programs import simulator

PROGRAMS = simulator.ROOT / "programs"
BANDWIDTH = 4e9
#: A flit of 16 B.
CYCLE_S = 4e-9
NETWORK = {"bandwidth_bytes_per_s": BANDWIDTH, "latency_s": 0.0, "hop_latency_s": 0.0}
MESH = {"kind": "mesh", "sizes": [2], "nodes": 2}
TORUS = {"kind": "torus", "sizes": [4, 4], "ties": "plus", "nodes": 16}


def run(
    folder: Path,
    program: str,
    topology: dict[str, Any],
    size: int,
    tables: list[str],
    interval: int,
) -> dict[str, float]:
    """Metrics of a program with a rank on every node."""
    folder.mkdir(exist_ok=True)
    return simulator.simulated(
        folder,
        PROGRAMS / f"{program}.c",
        topology["nodes"],
        [size],
        ("{message_bytes}",),
        NETWORK,
        engine="packet",
        topology=topology,
        payload="sizes",
        tables=tables,
        series_interval_cycles=interval,
    )


def rows(folder: Path, table: str) -> list[dict[str, str]]:
    with (folder / "out" / f"{table}-p.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def throughput(folder: Path, label: str) -> list[tuple[float, float, float]]:
    """Of a class of links: start, end and mean in B/s."""
    return [
        (float(row["start_s"]), float(row["end_s"]), float(row["value"]))
        for row in rows(folder, "series")
        if row["metric"] == "link_throughput_bytes_per_s" and row["label"] == label
    ]


@pytest.mark.slow
@pytest.mark.parametrize("interval", [7, 100, 100_000])
def test_series_and_nodes_add_up_to_the_bytes_of_the_links(tmp_path: Path, interval: int) -> None:
    tables = ["links", "nodes", "series"]
    metrics = run(tmp_path, "alltoall", TORUS, 2000, tables, interval)
    carried: Counter[str] = Counter()
    links: Counter[str] = Counter()
    of_link = {}
    for row in rows(tmp_path, "links"):
        carried[row["class"]] += int(row["bytes"])
        links[row["class"]] += 1
        of_link[row["link"]] = int(row["bytes"])
    assert carried["injection"] == metrics["wire_bytes"] > 0
    for name, total in carried.items():
        series = throughput(tmp_path, name)
        found = sum((end - start) * mean * links[name] for start, end, mean in series)
        assert found == pytest.approx(total, rel=1e-9), name
        assert series[-1][1] == pytest.approx(metrics["program_time_s"], rel=0.05)
    shares: defaultdict[str, float] = defaultdict(float)
    for row in rows(tmp_path, "series"):
        if row["metric"] == "link_share":
            shares[row["start_s"]] += float(row["value"])
    assert len(shares) == len(throughput(tmp_path, "injection"))
    assert all(share == pytest.approx(1) for share in shares.values())
    end_s = throughput(tmp_path, "injection")[-1][1]
    nodes = rows(tmp_path, "nodes")
    assert [int(row["node"]) for row in nodes] == list(range(16))
    for row in nodes:
        for column, way in (("injected_rate", "injection"), ("accepted_rate", "ejection")):
            expected = of_link[f"{way}/{row['node']}"] / 16 / (end_s / CYCLE_S)
            assert float(row[column]) == pytest.approx(expected, rel=1e-9)


def one_message(
    folder: Path, engine: str, network: dict[str, Any], topology: dict[str, Any]
) -> None:
    """From the first node to the last, ten packets of 256 B."""
    folder.mkdir(exist_ok=True)
    own: dict[str, Any]
    own = {"series_interval_cycles": 100} if engine == "packet" else {"series_interval_s": 4e-7}
    if engine == "packet" and "router" in network:
        own |= {"switching": "virtual_cut_through", "hold_switch_for_packet": True}
    simulator.run_point(
        folder,
        simulator.HERE / "into_one.c",
        topology["nodes"],
        [10 * (256 - network.get("packet", {}).get("header_bytes", 0))],
        ("{message_bytes}", "1"),
        network,
        engine,
        topology,
        payload="sizes",
        tables=["nodes", "series"] if engine == "packet" else ["series"],
        **own,
    )


def test_one_message_alone_crosses_its_links_when_a_pencil_says(tmp_path: Path) -> None:
    """Its 160 flits leave in cycles 0 to 159, the first router 4 cycles later, the second one 9."""
    one_message(tmp_path, "packet", NETWORK, MESH)
    for name, links, first in (("injection", 2, 0), ("x+", 1, 4), ("ejection", 2, 9)):
        series = throughput(tmp_path, name)
        # The last flit is in its node two cycles after it has left the last router.
        assert [end for _, end, _ in series] == pytest.approx([100 * CYCLE_S, 171 * CYCLE_S])
        flits = [(end - start) * mean * links / 16 for start, end, mean in series]
        assert flits == pytest.approx([100 - first, 60 + first])
    assert [mean for _, _, mean in throughput(tmp_path, "x-")] == [0, 0]
    nodes = [
        (float(r["injected_rate"]), float(r["accepted_rate"])) for r in rows(tmp_path, "nodes")
    ]
    assert nodes == [(pytest.approx(160 / 171), 0), (0, pytest.approx(160 / 171))]


def test_the_series_of_a_message_alone_is_that_of_rdma(tmp_path: Path) -> None:
    """With a cycle for each stage and cable. `packet` counts a flit one cycle earlier."""
    stages = ("routing", "vc_allocation", "switch_allocation", "switch_traversal")
    machine = {
        **NETWORK,
        "packet": {"mtu_bytes": 256, "header_bytes": 16, "control_bytes": 8, "flit_bytes": 16},
        "router": {f"{stage}_s": CYCLE_S for stage in stages}
        | {"virtual_channels": 2, "vc_buffer_bytes": 512, "crossbar_inputs": "per_port"}
        | {"torus_classes": "dateline"},
        "cables": {"cable_s": CYCLE_S, "injection_s": CYCLE_S},
    }
    line = {"kind": "mesh", "sizes": [4], "nodes": 4}
    for engine in ("packet", "rdma"):
        one_message(tmp_path / engine, engine, machine, line)
    for name in ("injection", "x+", "x-", "ejection"):
        packet, rdma = (throughput(tmp_path / engine, name) for engine in ("packet", "rdma"))
        assert len(packet) == len(rdma) == 2
        for (*own, mean), (*other, expected) in zip(packet, rdma, strict=True):
            assert own == pytest.approx(other)
            flits = (mean - expected) * (own[1] - own[0]) / 16
            assert abs(flits) < 1.001, (name, own)


def test_tables_change_no_result(tmp_path: Path) -> None:
    plain = run(tmp_path / "plain", "alltoall", TORUS, 2000, [], 7)
    watched = run(tmp_path / "watched", "alltoall", TORUS, 2000, ["nodes", "series"], 7)
    assert {name: watched[name] for name in plain} == plain
