"""Pictures of networks: the same place for the same router, and the share of each cable."""

from __future__ import annotations

import csv
import io
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from network_samples import drawn
from weft.config.model.figures import NetworkPicture
from weft.report.draw.drawing import Drawing
from weft.report.kinds.network.charts import network_charts
from weft.report.kinds.network.layout import positions
from weft.report.kinds.network.rows import BusyLink, BusyNetwork, NetworkRows

Row = dict[str, Any]


def link(source: str, target: str, kind: str = "link", share: float = 0.1) -> BusyLink:
    return BusyLink(f"{source}/{target}", kind, source, target, 1.0, share)


def both(pairs: list[tuple[str, str]]) -> list[BusyLink]:
    return [link(*ends) for pair in pairs for ends in (pair, pair[::-1])]


def with_nodes(routers: list[str], links: list[BusyLink], topology: Row) -> BusyNetwork:
    own = [link(f"node {i}", router, "injection") for i, router in enumerate(routers)]
    return BusyNetwork(None, topology, [*own, *links])


def test_a_torus_stands_as_a_grid() -> None:
    names = [f"router {i}" for i in range(12)]
    ring = [(names[y * 4 + x], names[y * 4 + (x + 1) % 4]) for y in range(3) for x in range(4)]
    network = with_nodes(names, both(ring), {"kind": "torus", "sizes": "[4,3]"})
    found = positions(network)
    assert [found[name] for name in names] == [(x, y) for y in range(3) for x in range(4)]


def test_levels_of_a_tree_stand_above_each_other() -> None:
    leaves, spines = [f"leaf{i}" for i in range(4)], ["spine0", "spine1"]
    network = with_nodes(leaves, both(list(product(leaves, spines))), {"kind": "graph"})
    found = positions(network)
    assert {found[leaf][1] for leaf in leaves} == {0.0}
    assert {found[spine][1] for spine in spines} == {1.0}


def test_neighbours_of_any_graph_stand_nearer_than_others() -> None:
    names = [f"r{i}" for i in range(24)]
    ring = [*pairwise([*names, names[0]])]
    found = positions(with_nodes(names, both(ring), {"kind": "graph"}))

    def apart(a: str, b: str) -> float:
        (x, y), (x2, y2) = found[a], found[b]
        return ((x - x2) ** 2 + (y - y2) ** 2) ** 0.5

    assert max(apart(a, b) for a, b in ring) < 0.5 * apart("r0", "r12")
    assert positions(with_nodes(names, both(ring), {"kind": "graph"})) == found


def test_no_two_routers_share_a_place() -> None:
    names = [f"router {i}" for i in range(32)]
    pairs = [(names[i], names[i ^ 1 << d]) for i in range(32) for d in range(5) if i < i ^ 1 << d]
    hypercube = positions(with_nodes(names, both(pairs), {"kind": "hypercube"}))
    groups = positions(with_nodes(names, both(pairs), {"kind": "dragonfly", "a": 4}))
    for found in (hypercube, groups):
        assert len({(round(x, 3), round(y, 3)) for x, y in found.values()}) == 32


def cables(drawing: Drawing) -> dict[str, Row]:
    rows = drawing.panels[0].spec["data"]["values"]
    return {row["name"]: row for row in rows if row["mark"] == "link"}


@pytest.mark.slow
def picture(network: BusyNetwork) -> list[Row]:
    ((_, chart),) = network_charts(NetworkRows(NetworkPicture(), [network]))
    return list(chart["data"]["values"])


def circle_of_switches(switches: int, nodes: int) -> BusyNetwork:
    """Each with as many nodes; node i leaves the network with a share of i / 1000."""
    ring = [(f"s{i}", f"s{(i + 1) % switches}") for i in range(switches)]
    own = [(f"node {i}", f"s{i // nodes}") for i in range(switches * nodes)]
    into = [link(*ends, "injection") for ends in own]
    out = [link(b, a, "ejection", i / 1000) for i, (a, b) in enumerate(own)]
    return BusyNetwork(None, {"kind": "graph"}, [*both(ring), *into, *out])


def test_nodes_stand_round_their_switch_with_their_own_links() -> None:
    """Else the worst link may be none that is drawn: a receiver is what limits many programs."""
    rows = picture(circle_of_switches(6, 3))
    place = {row["name"]: (row["x"], row["y"]) for row in rows if row["mark"] in ("router", "node")}
    shares = {row["name"]: row["share"] for row in rows if row["mark"] == "link"}
    assert shares["node 17 – s5"] == 0.1
    assert len(shares) == 6 + 18
    assert len({*place.values()}) == len(place) == 6 + 18
    for node in range(18):
        x, y = place[f"node {node}"]
        near = min(
            (f"s{i}" for i in range(6)),
            key=lambda name: (place[name][0] - x) ** 2 + (place[name][1] - y) ** 2,
        )
        assert near == f"s{node // 3}"


def test_of_many_nodes_those_of_a_switch_are_one_mark_with_the_busiest_of_their_links() -> None:
    rows = picture(circle_of_switches(40, 5))
    found = {row["name"]: row for row in rows if row["mark"] == "link"}
    assert len(found) == 40 + 40
    last = found["nodes of s39 – s39"]
    assert (last["forth"], last["back"], last["cables"]) == (0.1, 0.199, 10)
    nodes = {row["name"]: row["nodes"] for row in rows if row["mark"] == "node"}
    assert nodes == {f"nodes of s{i}": 5 for i in range(40)}


def test_a_switch_without_nodes_says_so_and_a_single_node_keeps_its_name() -> None:
    leaves = [f"leaf{i}" for i in range(130)]
    network = with_nodes(leaves, both([(leaf, "spine") for leaf in leaves]), {"kind": "graph"})
    rows = {row["name"]: row for row in picture(network) if "nodes" in row}
    assert (rows["spine"]["nodes"], rows["leaf0"]["nodes"], rows["node 129"]["nodes"]) == (0, 1, 1)
    assert rows["node 129"]["x"] == rows["leaf129"]["x"]
    assert rows["node 129"]["y"] < rows["leaf129"]["y"] < rows["spine"]["y"]


def test_nodes_of_a_crossbar_stand_round_it() -> None:
    links = [link(f"node {i}", "router 0", "injection") for i in range(8)]
    rows = picture(BusyNetwork(None, {"kind": "crossbar"}, links))
    assert len({(row["x"], row["y"]) for row in rows if row["mark"] == "node"}) == 8


def test_a_cable_shows_the_busier_direction_and_names_both(tmp_path: Path) -> None:
    found = cables(drawn(tmp_path, {}))
    assert len(found) == 4, "two of nodes, two between routers"
    cable = found["router 1 – router 2"]
    assert (cable["share"], cable["forth"], cable["back"]) == (0.8, 0.3, 0.8)
    assert cable["cables"] == 2


@pytest.mark.slow
def test_the_caption_names_the_worst_link(tmp_path: Path) -> None:
    notes = drawn(tmp_path, {}).notes
    expected = "The worst link, router 2>router 1 from router 2 to router 1, carried 80% of its"
    assert any(note.startswith(expected) for note in notes)


def test_names_of_routers_have_the_page_around_them() -> None:
    """A router between two levels stands below links, which hid its name."""
    network = with_nodes(["a", "b"], both([("a", "b")]), {"kind": "graph"})
    ((_, chart),) = network_charts(NetworkRows(NetworkPicture(), [network]))
    halo, name = (each["mark"] for each in chart["layer"] if each["mark"]["type"] == "text")
    assert (halo["stroke"], halo["strokeWidth"]) == ("var(--paper, white)", 3)
    assert "stroke" not in name


@pytest.mark.slow
def test_waits_come_from_the_ports_of_the_ranking(tmp_path: Path) -> None:
    drawing = drawn(tmp_path, {"of": "blocked"}, {"router 1>router 2": 0.25})
    found = cables(drawing)
    assert found["router 1 – router 2"]["share"] == 0.25
    assert found["router 0 – router 2"]["share"] == 0
    assert any("kept packets waiting 25% of the time" in note for note in drawing.notes)


@pytest.mark.slow
def test_the_data_hold_every_link(tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(drawn(tmp_path, {}).csv)))
    assert len(rows) == 8
    assert {row["class"] for row in rows} == {"injection", "ejection", "up", "down"}


def test_links_that_failed_are_dashed_and_in_no_class() -> None:
    leaves, spines = ["leaf0", "leaf1"], ["spine0", "spine1"]
    links = both([(leaf, spine) for leaf in leaves for spine in spines])
    gone = [link("leaf0", "spine1", "failed", 0), link("spine1", "leaf0", "failed", 0)]
    there = [each for each in links if {each.source, each.target} != {"leaf0", "spine1"}]
    network = with_nodes(leaves, [*there, *gone], {"kind": "graph"})
    rows = NetworkRows(NetworkPicture(), [network])
    ((_, drawn),) = network_charts(rows)
    marks = {row["name"]: row["mark"] for row in drawn["data"]["values"] if "share" in row}
    assert marks["leaf0 – spine1"] == "failed"
    assert marks["leaf1 – spine1"] == "link"
    dashed = [each for each in drawn["layer"] if each["mark"].get("strokeDash")]
    assert len(dashed) == 1
    assert "Dashed links failed." in rows.notes


FLOWS = [
    ("router 1>router 2", "node 1", "node 0", 3.0),
    ("router 2>router 1", "node 0", "node 1", 4.0),
    ("router 2>router 1", "node 1", "node 1", 0.25),
]


@pytest.mark.slow
def test_a_cable_names_the_pairs_that_send_most_over_it(tmp_path: Path) -> None:
    found = cables(drawn(tmp_path, {}, flows=FLOWS))
    cable = found["router 1 – router 2"]
    assert cable["channels"] == "router 1>router 2, router 2>router 1"
    # Each link carries 5 bytes.
    assert (cable["flows_forth"], cable["flows_back"]) == (
        "1 → 0 (60%)",
        "0 → 1 (80%), 1 → 1 (5.0%)",
    )
    assert found["router 0 – router 2"]["flows_forth"] == "–"


@pytest.mark.slow
def test_the_tooltip_speaks_of_pairs_only_where_they_were_counted(tmp_path: Path) -> None:
    def titles(drawing: Drawing) -> list[str]:
        return [each["title"] for each in drawing.panels[0].spec["layer"][0]["encoding"]["tooltip"]]

    counted = titles(drawn(tmp_path / "counted", {}, flows=FLOWS))
    assert counted == ["Link", "Names", "There", "Most there", "Back", "Most back", "Links"]
    assert "Most there" not in titles(drawn(tmp_path / "plain", {}))


@pytest.mark.slow
def test_the_data_name_the_pairs_of_each_link(tmp_path: Path) -> None:
    rows = csv.DictReader(io.StringIO(drawn(tmp_path, {}, flows=FLOWS).csv))
    pairs = {row["link"]: row["top_flows"] for row in rows}
    assert pairs["router 2>router 1"] == "0 → 1 (80%), 1 → 1 (5.0%)"
    assert pairs["node 0>router 0"] == ""


@pytest.mark.slow
def test_of_runs_whose_failures_differ_the_first_is_drawn(tmp_path: Path) -> None:
    drawing = drawn(tmp_path, {}, failing=[("router 0", "router 2"), ("router 1", "router 2")])
    marks = {row["name"]: row["mark"] for row in drawing.panels[0].spec["data"]["values"]
             if "share" in row}  # fmt: skip
    assert marks["router 0 – router 2"] == "failed"
    assert marks["router 1 – router 2"] == "link"
    assert "In each of 2 runs other links failed; the first is drawn." in drawing.notes


@pytest.mark.slow
def test_many_routers_are_small_enough_to_see_the_links_between_them() -> None:
    def area(count: int) -> float:
        names = [f"router {i}" for i in range(count)]
        network = with_nodes(names, both([*pairwise(names)]), {"kind": "mesh", "sizes": [count]})
        ((_, chart),) = network_charts(NetworkRows(NetworkPicture(), [network]))
        (sizes,) = (each["encoding"]["size"]["scale"]["range"] for each in chart["layer"]
                    if "size" in each.get("encoding", {}))  # fmt: skip
        return float(sizes[0])

    assert area(16) == 70
    # 2,000 routers on 320 by 420 pixels have 67 each.
    assert area(2000) < 67 / 9
