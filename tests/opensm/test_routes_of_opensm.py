"""OpenSM as a second source: tables that it calls free of deadlocks are, and ways are as long."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from hashlib import sha256
from itertools import product
from pathlib import Path

import pytest
from weft.config.graphs.naming import NodeRule
from weft.config.graphs.read import ReadGraph, read_graph, read_routes
from weft.engines import engine

from tests.opensm.subnet import Subnet, routed
from tests.opensm.test_tools import fat_tree, torus

pytestmark = [pytest.mark.slow, pytest.mark.long("exported_graphs")]

#: Root switches: one that no node is joined to, and any.
FABRICS = {"fat_tree": (fat_tree, "spine0"), "torus": (torus, "s0x0")}
Fabric = tuple[ReadGraph, str]


@pytest.fixture(scope="module", params=FABRICS)
def fabric(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Fabric:
    make, root = FABRICS[request.param]
    path = tmp_path_factory.mktemp("fabric") / "x.csv"
    path.write_text(make())
    return read_graph(path, NodeRule()), root


def answered(
    fabric: Fabric, name: str, folder: Path, *, asks_levels: bool = False
) -> tuple[Subnet, ReadGraph]:
    """OpenSM's tables as the routes of the fabric that its tools print."""
    read, root = fabric
    folder.mkdir()
    of_updn = root if name == "updn" else None
    subnet = routed(read.graph, name, folder, of_updn, asks_levels=asks_levels)
    (folder / "lfts.txt").write_text(subnet.lfts)
    (folder / "found.txt").write_text(subnet.ibnetdiscover)
    return subnet, read_routes(read_graph(folder / "found.txt", NodeRule()), folder / "lfts.txt")


def topology(read: ReadGraph, folder: Path, **keys: str) -> dict[str, object]:
    """The topology of a point."""
    file = folder / f"{read.sha256}.json"
    file.write_text(read.text)
    return {"kind": "graph", "file": str(file), "sha256": read.sha256, **keys}


def asked(word: str, of: dict[str, object]) -> subprocess.CompletedProcess[str]:
    """What `weft-flow` says of a topology."""
    command = [str(engine("flow").checked_binary()), word]
    point = json.dumps({"seed": 1, "topology": of, "bandwidth_bytes_per_s": 1e9})
    return subprocess.run(command, input=point, capture_output=True, text=True, check=False)


def hops(of: dict[str, object]) -> dict[tuple[int, int], int]:
    """Channels between switches on the way of each pair of nodes."""
    rows = [json.loads(line) for line in asked("routes", of).stdout.splitlines()]
    found = {(row["src"], row["dst"]): row["hops"] for row in rows if "hops" in row}
    assert found
    return found


def layers(of: dict[str, object]) -> int:
    """Classes of virtual channels without which packets could wait in a circle."""
    return int(json.loads(asked("export", of).stdout)["routes"]["classes"])


def test_our_up_down_is_as_short_as_that_of_opensm(fabric: Fabric, tmp_path: Path) -> None:
    read, root = fabric
    _, theirs = answered(fabric, "updn", tmp_path / "updn")
    ours = topology(read, tmp_path, routing="up_down", root=root)
    # The tools print the nodes in their own order.
    place = [theirs.graph.nodes.index(name) for name in read.graph.nodes]
    lengths = hops(topology(theirs, tmp_path, routing="table"))
    for (src, dst), length in hops(ours).items():
        assert lengths[place[src], place[dst]] == length


def test_tables_that_opensm_calls_free_of_deadlocks_are(fabric: Fabric, tmp_path: Path) -> None:
    """`updn` on every fabric; `ftree` on a fat tree. Others need service levels where there are
    circles."""
    is_tree = len(fabric[0].graph.switches) == 6
    for name in ("updn", "ftree", "minhop") if is_tree else ("updn",):
        _, theirs = answered(fabric, name, tmp_path / name)
        assert layers(topology(theirs, tmp_path, routing="table")) == 1


def test_a_table_that_needs_service_levels_is_refused_without_them(
    fabric: Fabric, tmp_path: Path
) -> None:
    for name in ("lash", "dfsssp", "minhop"):
        subnet, theirs = answered(fabric, name, tmp_path / name)
        refused = (
            "its routes can deadlock"
            in asked("export", topology(theirs, tmp_path, routing="table")).stderr
        )
        if len(fabric[0].graph.switches) == 6:
            assert not refused
        elif name != "minhop":
            assert refused
        if name == "lash":
            assert refused == (subnet.lash_layers > 1)


def with_levels(theirs: ReadGraph, levels: Mapping[tuple[str, str], int], folder: Path) -> str:
    """What `weft-flow` says of their routes, each in the class of its service level."""
    graph = theirs.graph
    of_table = asked("routes", topology(theirs, folder, routing="table")).stdout.splitlines()
    ways = {(way["src"], way["dst"]): way["channels"] for way in map(json.loads, of_table[1:])}
    hops = [channel.start_port for channel in graph.between_switches()]
    first, ports, classes, places = [0], [], [], range(len(graph.nodes))
    for src, dst in product(places, places):
        # Channels of nodes have the first numbers.
        way = ways.get((src, dst), [0, 0])[1:-1]
        ports += [hops[channel - 2 * len(graph.nodes)] for channel in way]
        classes += [levels.get((graph.nodes[src], graph.nodes[dst]), 0)] * len(way)
        first.append(len(ports))
    routes = {"by": "pair", "first": first, "port": ports, "class": classes}
    text = json.dumps({**json.loads(theirs.text), "routes": routes})
    read = ReadGraph(graph, text, sha256(text.encode()).hexdigest())
    return asked("export", topology(read, folder, routing="table")).stderr


@pytest.mark.parametrize("name", ["lash", "dfsssp"])
def test_with_its_service_levels_a_table_is_free_of_deadlocks(
    fabric: Fabric, name: str, tmp_path: Path
) -> None:
    subnet, theirs = answered(fabric, name, tmp_path / name, asks_levels=True)
    assert with_levels(theirs, subnet.levels, tmp_path) == ""
    if len(fabric[0].graph.switches) > 6:
        assert len({*subnet.levels.values()}) > 1
        assert "its routes can deadlock" in with_levels(theirs, {}, tmp_path)


def test_our_layers_are_no_more_than_those_of_opensm(fabric: Fabric, tmp_path: Path) -> None:
    lash, _ = answered(fabric, "lash", tmp_path / "lash")
    dfsssp, _ = answered(fabric, "dfsssp", tmp_path / "dfsssp")
    for routing in ("layered", "shortest"):
        ours = layers(topology(fabric[0], tmp_path, routing=routing))
        assert ours <= min(lash.lash_layers, dfsssp.dfsssp_layers)
