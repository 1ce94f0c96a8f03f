"""`spaced_traffic`: who sends to whom and when, and how long heads of messages take."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

import pytest

from tests.programs import simulator

SOURCE = simulator.ROOT / "programs" / "spaced_traffic.c"
NODES, BYTES, INTERVAL_S = 4, 125, 1e-4


def traffic(folder: Path, *arguments: str) -> tuple[dict[str, float], list[dict[str, float]]]:
    """The metrics, and the messages of the traffic, on a crossbar where each takes 1 us."""
    metrics = simulator.simulated(
        folder,
        SOURCE,
        2 * NODES,
        [BYTES],
        ("{message_bytes}", arguments[0], str(INTERVAL_S), *arguments[1:]),
        engine="flow",
        topology={"kind": "crossbar", "nodes": NODES},
        ranks_per_node=2,
        tables=["messages"],
    )
    with (folder / "out" / "messages-p.csv").open(newline="") as file:
        rows = [{key: float(text) for key, text in row.items()} for row in csv.DictReader(file)]
    return metrics, [row for row in rows if row["bytes"] == BYTES]


def pairs(rows: list[dict[str, float]]) -> Counter[tuple[float, float]]:
    return Counter((row["src"], row["dst"]) for row in rows)


def test_a_delay_lasts_from_the_send_until_the_head_is_there(tmp_path: Path) -> None:
    metrics, _ = traffic(tmp_path, "uniform", "3")
    assert metrics["delay_mean_s"] == pytest.approx(1e-6, rel=1e-3)
    assert metrics["delay_max_s"] == pytest.approx(1e-6, rel=1e-3)


def test_uniform_traffic_goes_to_all_others_in_turn(tmp_path: Path) -> None:
    _, rows = traffic(tmp_path, "uniform", "6")
    others = {(a, b) for a in range(NODES) for b in range(NODES) if a != b}
    assert pairs(rows) == dict.fromkeys(others, 2)
    turns = [row["dst"] for row in sorted(rows, key=lambda r: r["start_s"]) if row["src"] == 1]
    assert turns == [2, 3, 0, 2, 3, 0]


def test_random_traffic_goes_to_all_others_about_equally_and_never_to_itself(
    tmp_path: Path,
) -> None:
    _, rows = traffic(tmp_path, "random", "300")
    found = pairs(rows)
    assert len(rows) == NODES * 300
    assert all(source != destination for source, destination in found)
    # 100 of each pair, four standard deviations away at most.
    assert len(found) == NODES * (NODES - 1)
    assert all(67 <= count <= 133 for count in found.values())


def test_the_seed_draws_other_destinations(tmp_path: Path) -> None:
    _, first = traffic(tmp_path, "random", "20", "1")
    _, again = traffic(tmp_path, "random", "20", "1")
    _, other = traffic(tmp_path, "random", "20", "2")
    assert first == again
    assert pairs(first) != pairs(other)


def test_a_node_sends_at_intervals_from_a_random_start_on(tmp_path: Path) -> None:
    _, rows = traffic(tmp_path, "uniform", "5")
    starts: dict[float, list[float]] = defaultdict(list)
    for row in sorted(rows, key=lambda each: each["start_s"]):
        starts[row["src"]].append(row["start_s"])
    for own in starts.values():
        assert 0 <= own[0] < INTERVAL_S
        assert all(b - a == pytest.approx(INTERVAL_S, rel=2e-2) for a, b in pairwise(own))
    assert len({round(own[0] / INTERVAL_S, 2) for own in starts.values()}) == NODES
