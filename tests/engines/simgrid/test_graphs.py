"""SimGrid on networks of one's own: the static routes of weft are those of its platform."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from weft.config.graphs.naming import NodeRule
from weft.config.graphs.read import read_graph, read_routes
from weft.engines.graphs import canonical_topology

from tests.engines.simgrid.points import (
    DELAYED,
    UNIFORM,
    answer,
    finish_s,
    flow_answer,
    needs_simgrid,
    point,
)

pytestmark = [pytest.mark.slow, pytest.mark.long("simgrid")]
SAME_S = 1e-17
#: Four switches in a circle with two nodes each, one cable twice, one slow and one long.
RING = """from,to,bandwidth,latency,count
s0,s1,,,2
s1,s2,25 MB/s,,
s2,s3,,2 us,
s3,s0,,,
n0,s0,,,
n1,s0,,,
n2,s1,,,
n3,s1,,,
n4,s2,,,
n5,s2,,,
n6,s3,,,
n7,s3,,,
"""
#: The same, where two nodes have two links each.
RAILS = RING + "n0,s1,,,\nn4,s3,,,\n"
FAILED = {"links": [["s3", "s0"]], "switches": 0}
SLOW = [{"channels": ["up"], "slower": 2.0, "latency_s": 4e-7}]
TREE = {"kind": "fat_tree", "k": 3, "levels": 2, "nodes": 9}
FAILED_TREE = {"links": 2, "switches": 0}


@pytest.fixture(autouse=True)
def _simgrid() -> None:
    needs_simgrid()


def graph(folder: Path, text: str, **keys: Any) -> dict[str, Any]:
    """The topology of a point on the network of `text`."""
    file, names = folder / "site.csv", ("n*",)
    file.write_text(text)
    read = read_graph(file, NodeRule(names))
    if routes := keys.get("routes"):
        read = read_routes(read, Path(routes))
    found = {"kind": "graph", "file": str(file), "node_names": names, "sha256": read.sha256}
    return {**found, "nodes": len(read.graph.hosts), **keys}


def largest_difference_s(folder: Path, topology: dict[str, Any]) -> float:
    """Between the ends of messages in both."""
    workload = {**UNIFORM, "outstanding": "all"}
    asked = point(topology, workload, DELAYED, tables=["messages", "links"])
    theirs = answer(folder / "simgrid", asked)
    (folder / "flow").mkdir()
    canonical = canonical_topology(topology, folder / "flow")
    ours = flow_answer(folder / "flow", {**asked, "topology": canonical})
    assert theirs == pytest.approx({name: ours[name] for name in theirs}, rel=1e-9)
    found, wanted = finish_s(folder / "simgrid"), finish_s(folder / "flow")
    assert found.keys() == wanted.keys()
    return max(abs(found[message][1] - wanted[message][1]) for message in found)


@pytest.mark.parametrize("routing", ["shortest", "layered", "up_down", "ecmp_pair"])
@pytest.mark.parametrize("more", [{}, {"failed": FAILED}], ids=str)
def test_lists_take_the_routes_of_a_graph(
    tmp_path: Path, routing: str, more: dict[str, Any]
) -> None:
    assert largest_difference_s(tmp_path, graph(tmp_path, RING, routing=routing, **more)) < SAME_S


def test_a_table_of_ones_own_decides_the_routes(tmp_path: Path) -> None:
    rows = ["switch,node,next"]
    for switch in range(4):
        for node in range(8):
            end = node // 2
            ahead = switch + 1 if end > switch else switch - 1
            rows.append(f"s{switch},n{node},{f'n{node}' if end == switch else f's{ahead}'}")
    routes = tmp_path / "routes.csv"
    routes.write_text("\n".join(rows))
    table = graph(tmp_path, RING, routing="table", routes=str(routes))
    assert largest_difference_s(tmp_path, table) < SAME_S


def test_messages_take_the_rails_of_their_nodes(tmp_path: Path) -> None:
    rails = graph(tmp_path, RAILS, routing="shortest", rails="round_robin")
    assert largest_difference_s(tmp_path, rails) < SAME_S
    used = (tmp_path / "simgrid" / f"links-{'a' * 12}.csv").read_text()
    assert "injection/0" in used
    assert "injection/1" in used


@pytest.mark.parametrize(
    "more",
    [{"failed": FAILED_TREE}, {"links": SLOW}, {"failed": FAILED_TREE, "links": SLOW}],
    ids=["failed", "slow", "both"],
)
def test_failed_and_slow_links_of_a_catalogue_topology(
    tmp_path: Path, more: dict[str, Any]
) -> None:
    assert largest_difference_s(tmp_path, {**TREE, "routing": "layered", **more}) < SAME_S
