"""Tables of routes: those of OpenSM are routes, and each kind of mistake names its line."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from weft.config.graphs.circles import check_circles
from weft.config.graphs.model import GraphProblem
from weft.config.graphs.naming import NodeRule
from weft.config.graphs.read import read_graph, read_routes

DATA = Path(__file__).resolve().parents[2] / "data" / "infiniband"
RING = "from,to\ncn1,s1\ncn2,s2\ncn3,s3\ns1,s2\ns2,s3\ns3,s1\n"
#: To cn1 and cn3 the short way; to cn2 from s1 by s3.
TABLE = """switch,node,next
s1,cn1,cn1
s2,cn1,s1
s3,cn1,s1
s1,cn2,s3
s2,cn2,cn2
s3,cn2,s2
s1,cn3,s3
s2,cn3,s3
s3,cn3,cn3
"""


def problem(folder: Path, table: str, name: str = "table.csv", graph: Path | None = None) -> str:
    path = folder / name
    path.write_text(table)
    if graph is None:
        graph = folder / "ring.csv"
        graph.write_text(RING)
    with pytest.raises(GraphProblem) as caught:
        read_routes(read_graph(graph, NodeRule()), path)
    return str(caught.value)


@pytest.mark.parametrize("engine", ["minhop", "dfsssp"])
def test_the_tables_of_opensm_lead_everywhere(engine: str) -> None:
    graph = read_graph(DATA / "torus_4x4.ibnetdiscover.txt", NodeRule())
    routed = read_routes(graph, DATA / f"torus_4x4.{engine}.lfts.txt")
    assert '"routes":{"by":"destination"' in routed.text
    assert routed.sha256 != graph.sha256


def test_a_table_may_name_the_next_switch_or_the_port(tmp_path: Path) -> None:
    (tmp_path / "ring.csv").write_text(RING)
    graph = read_graph(tmp_path / "ring.csv", NodeRule())
    (tmp_path / "named.csv").write_text(TABLE)
    # A switch's ports are numbered by where they lead: its node, then the lower switch.
    ports = {"s1": ("cn1", "s2", "s3"), "s2": ("cn2", "s1", "s3"), "s3": ("cn3", "s1", "s2")}
    rows = [line.split(",") for line in TABLE.splitlines()[1:]]
    numbered = "".join(f"{s},{n},{ports[s].index(to)}\n" for s, n, to in rows)
    (tmp_path / "numbered.csv").write_text("switch,node,port\n" + numbered)
    both = [read_routes(graph, tmp_path / f"{name}.csv").text for name in ("named", "numbered")]
    assert both[0] == both[1]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("s1,cn2,s3\n", "", "line 7: s1 has no entry for cn2; its last entry is in this line$"),
        ("s3,cn2,s2", "s3,cn2,s1", "line [57]: the way to cn2 is a loop: s[13] > s[13] > s[13]"),
        ("s1,cn1,cn1", "s1,cn9,cn1", "line 2: unknown node 'cn9'; did you mean"),
        ("s1,cn1,cn1", "s9,cn1,cn1", "line 2: unknown switch 's9'; allowed: s1, s2, s3$"),
        ("s1,cn1,cn1", "s1,cn1,cn2", "line 2: s1 has no link to cn2"),
        ("s2,cn1,s1", "s2,cn1,cn2", "line 3: the way from s2 to cn1 ends at cn2"),
        ("s2,cn1,s1", "s1,cn1,cn1", "line 3: the way from s1 to cn1 is in line 2 already"),
        ("s2,cn1,s1", "s2,cn1,", "line 3: give either a port or the name"),
        ("s2,cn1,s1", "s2,,s1", "line 3: 'node' is empty"),
        ("switch,node,next", "switch,node,hop", "line 1: unknown column 'hop'"),
    ],
)
def test_a_mistake_in_a_table(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in TABLE
    assert re.match(message, problem(tmp_path, TABLE.replace(old, new, 1)))


def test_a_switch_without_an_entry(tmp_path: Path) -> None:
    without = "".join(line for line in TABLE.splitlines(True) if not line.startswith("s2,"))
    assert problem(tmp_path, without) == "s2 has no entry for cn1, nor for any other node"


def test_forwarding_tables_that_were_cut(tmp_path: Path) -> None:
    text = (DATA / "torus_4x4.minhop.lfts.txt").read_text()
    torus = DATA / "torus_4x4.ibnetdiscover.txt"
    cut = problem(tmp_path, text[: len(text) // 2], "lfts.txt", torus)
    assert re.match(r"line \d+: .*was the text cut", cut)
    lines = text.splitlines(keepends=True)
    missing = problem(tmp_path, "".join(lines[:5] + lines[6:]), "lfts.txt", torus)
    assert re.match(r"line \d+: 31 entries are above, not 32; was the text cut\?", missing)


def test_ways_to_adapters_outside_of_the_network_are_left_out(tmp_path: Path) -> None:
    """Every switch of HDR has an adapter of its own, and they share a name."""
    own = "Mellanox Technologies Aggregation Node"
    fabric = (DATA / "torus_4x4.ibnetdiscover.txt").read_text()
    table = (DATA / "torus_4x4.minhop.lfts.txt").read_text()
    for node in ("node14", "node15"):
        fabric, table = fabric.replace(f'"{node}"', f'"{own}"'), table.replace(node, own)
    (tmp_path / "fabric.txt").write_text(fabric)
    (tmp_path / "lfts.txt").write_text(table)
    graph = read_graph(tmp_path / "fabric.txt", NodeRule(("node*",)))
    routes = read_routes(graph, tmp_path / "lfts.txt").routes
    assert routes is not None
    assert {*routes.nodes} == {*range(14)}
    assert own in problem(tmp_path, table, "lfts.txt", tmp_path / "fabric.txt")


def test_a_table_of_another_fabric(tmp_path: Path) -> None:
    text = (DATA / "torus_4x4.minhop.lfts.txt").read_text()
    assert re.match(r"line \d+: unknown node", problem(tmp_path, text, "lfts.txt"))


def test_a_hundred_megabytes_of_one_entry(tmp_path: Path) -> None:
    """The file is refused at the second entry, not when all are read."""
    head = "switch,node,next\n"
    found = problem(tmp_path, head + "s1,cn1,cn1\n" * (100 * 2**20 // 11))
    assert found == "line 3: the way from s1 to cn1 is in line 2 already"


def ring_table(towards: Callable[[int, int], int], switches: int) -> tuple[str, str]:
    """A circle of switches with a node each, and a table; `towards` is the next switch."""
    numbers = range(switches)
    links = [f"n{at},s{at}\ns{at},s{(at + 1) % switches}\n" for at in numbers]
    ways = [
        f"s{at},n{to},{f'n{to}' if at == to else f's{towards(at, to)}'}\n"
        for at in numbers
        for to in numbers
    ]
    return "from,to\n" + "".join(links), "switch,node,next\n" + "".join(ways)


def circle(folder: Path, graph: str, table: str) -> str | None:
    (folder / "ring.csv").write_text(graph)
    (folder / "table.csv").write_text(table)
    read = read_routes(read_graph(folder / "ring.csv", NodeRule()), folder / "table.csv")
    try:
        check_circles(read, "packet")
    except GraphProblem as error:
        return str(error)
    return None


def test_a_circle_of_channels_names_the_line_of_each(tmp_path: Path) -> None:
    found = circle(tmp_path, *ring_table(lambda at, _: (at + 1) % 4, 4))
    assert found is not None
    assert found.startswith("line 3: the routes can deadlock in packet: each of these channels ")
    # Of s0 > s1 the entry of s0 for n1: a packet that came by s3 > s0 takes it.
    steps = "s0 > s1 (line 3), s1 > s2 (line 8), s2 > s3 (line 10), s3 > s0 (line 14);"
    assert f"first: {steps}" in found


def test_of_a_long_circle_the_first_channels_are_named(tmp_path: Path) -> None:
    found = circle(tmp_path, *ring_table(lambda at, _: (at + 1) % 20, 20))
    assert found is not None
    assert "s15 > s16 (line " in found
    assert "s16 > s17" not in found
    assert "), 4 more; change the table, or " in found


def test_routes_up_and_down_a_line_have_no_circle(tmp_path: Path) -> None:
    assert circle(tmp_path, *ring_table(lambda at, to: at + 1 if to > at else at - 1, 6)) is None


def test_a_dependency_that_no_packet_has_is_none(tmp_path: Path) -> None:
    """Only s0 and s2 have nodes: nothing enters the way to n0 at s1, nor that to n2 at s3."""
    graph, table = ring_table(lambda at, _: (at + 1) % 4, 4)
    graph = graph.replace("n1,s1\n", "").replace("n3,s3\n", "")
    table = "".join(
        line for line in table.splitlines(True) if "n1" not in line and "n3" not in line
    )
    assert circle(tmp_path, graph, table) is None


@pytest.mark.parametrize("engine", ["minhop", "dfsssp"])
def test_tables_of_opensm_that_need_service_levels(engine: str) -> None:
    graph = read_graph(DATA / "torus_4x4.ibnetdiscover.txt", NodeRule())
    routed = read_routes(graph, DATA / f"torus_4x4.{engine}.lfts.txt")
    with pytest.raises(GraphProblem, match=r"^line \d+: the routes can deadlock"):
        check_circles(routed, "packet")
