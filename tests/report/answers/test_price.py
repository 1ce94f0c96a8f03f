"""What more of a network's cost gives, where the experiment states prices."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import packet_samples
import pytest
from answer_samples import sentences
from report_samples import Row, make_plan, point, run

pytestmark = pytest.mark.slow

TREE: Row = {"kind": "fat_tree", "k": 4, "levels": 2, "nodes": 16}
GRID: Row = {"kind": "torus", "sizes": [4, 4], "nodes": 16}
PRICES = {"switch": 100.0, "port": 10.0, "cable": 3.0, "node_cable": 1.0}
RANKS, RATE = "workload.ranks", "network.bandwidth_bytes_per_s"


def price_sentences(
    folder: Path, times: dict[str, tuple[float, float]], prices: Row | None, axis: str = RANKS
) -> list[str]:
    """What a page says of the price, of two networks at two places of the axis."""
    points, metrics = [], []
    for topology in (TREE, GRID):
        for x, seconds in zip((4, 8), times[topology["kind"]], strict=True):
            spec: Row = {"topology": topology, "network": {}, "workload": {}, "options": {"at": x}}
            points.append(point("flow", {"topology.kind": topology["kind"], axis: x}, spec))
            metrics.append(packet_samples.value(points[-1], "program_time_s", seconds, "s"))
    plan = make_plan("priced", points, [{"line": {"x": axis, "y": "program_time_s"}}])
    plan = replace(plan, stored_report={**plan.stored_report, "prices": prices})
    said = sentences(packet_samples.stored(folder, plan, metrics, [run(at) for at in points]))
    return [text for text in said if text.startswith("For its price")]


def test_a_page_with_prices_says_which_network_gives_most_for_its_price(tmp_path: Path) -> None:
    """A tree of 8 switches, 48 ports and 16 cables of each kind costs 1,344; a torus of 16
    switches, 80 ports, 32 cables and 16 of nodes 2,512, ×1.87 as much for ×0.71 of the time."""
    (text,) = price_sentences(tmp_path, {"fat_tree": (4.0, 2.0), "torus": (2.0, 2.0)}, PRICES)
    assert text == (
        "For its price, fat_tree gives most (program time × cost, geometric mean over 2 settings);"
        " against fat_tree, the cheapest at 1,344, torus costs ×1.87 and has ×0.71 (×0.50 to ×1.00)"
        " the program time."
    )


def test_a_dearer_network_gives_more_where_its_time_falls_by_more_than_its_cost_rises(
    tmp_path: Path,
) -> None:
    (text,) = price_sentences(tmp_path, {"fat_tree": (4.0, 2.0), "torus": (2.0, 1.0)}, PRICES)
    assert text.startswith("For its price, torus gives most")
    assert text.endswith("torus costs ×1.87 and has ×0.50 the program time.")


def test_rates_of_links_have_no_price_and_are_places(tmp_path: Path) -> None:
    times = {"fat_tree": (4.0, 2.0), "torus": (2.0, 2.0)}
    (text,) = price_sentences(tmp_path, times, PRICES, RATE)
    assert "geometric mean over 2 settings" in text


def test_without_prices_or_with_equal_costs_a_page_says_nothing_of_them(tmp_path: Path) -> None:
    times = {"fat_tree": (4.0, 2.0), "torus": (2.0, 1.0)}
    assert price_sentences(tmp_path / "none", times, None) == []
    nodes = {"switch": 0.0, "port": 0.0, "cable": 0.0, "node_cable": 1.0}
    assert price_sentences(tmp_path / "alike", times, nodes) == []
