"""weft reads what the tools print of fabrics that weft exported, and OpenSM's tables as routes."""

from __future__ import annotations

from pathlib import Path

import pytest
from weft.config.graphs.model import Graph
from weft.config.graphs.naming import NodeRule
from weft.config.graphs.read import ReadGraph, read_graph, read_routes

from tests.opensm.subnet import Subnet, routed

ENGINES = ("minhop", "updn", "ftree", "lash", "dfsssp")


def fat_tree() -> str:
    """Four leaves with three nodes each, two spines, two cables from each leaf to each spine."""
    nodes = [f"cn{3 * leaf + i},leaf{leaf}" for leaf in range(4) for i in range(3)]
    cables = [f"leaf{leaf},spine{spine}" for leaf in range(4) for spine in range(2)] * 2
    return "\n".join(["from,to", *nodes, *cables])


def torus() -> str:
    """Three by five switches, a node each."""
    links = [f"cn{x}x{y},s{x}x{y}" for x in range(3) for y in range(5)]
    links += [f"s{x}x{y},s{(x + 1) % 3}x{y}" for x in range(3) for y in range(5)]
    links += [f"s{x}x{y},s{x}x{(y + 1) % 5}" for x in range(3) for y in range(5)]
    return "\n".join(["from,to", *links])


FABRICS = {"fat_tree": fat_tree, "torus": torus}


def read(folder: Path, name: str, text: str) -> ReadGraph:
    path = folder / name
    path.write_text(text)
    return read_graph(path, NodeRule())


def wires(graph: Graph) -> set[tuple[str, int, str, int]]:
    names = [*graph.nodes, *graph.switches]
    return {(names[c.start], c.start_port, names[c.end], c.end_port) for c in graph.channels}


@pytest.fixture(scope="module", params=FABRICS)
def fabric(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ReadGraph:
    return read(tmp_path_factory.mktemp("fabric"), "x.csv", FABRICS[request.param]())


@pytest.fixture(scope="module", params=ENGINES)
def subnet(
    request: pytest.FixtureRequest, fabric: ReadGraph, tmp_path_factory: pytest.TempPathFactory
) -> Subnet:
    return routed(fabric.graph, request.param, tmp_path_factory.mktemp("opensm"))


def test_an_exported_fabric_comes_back_from_both_tools(
    fabric: ReadGraph, subnet: Subnet, tmp_path: Path
) -> None:
    discovered = read(tmp_path, "discovered.txt", subnet.ibnetdiscover)
    assert wires(discovered.graph) == wires(fabric.graph)
    assert read(tmp_path, "links.txt", subnet.iblinkinfo).sha256 == discovered.sha256


def test_the_tables_of_every_routing_engine_lead_everywhere(
    fabric: ReadGraph, subnet: Subnet, tmp_path: Path
) -> None:
    """A hole, a loop or a wrong port raises."""
    (tmp_path / "lfts.txt").write_text(subnet.lfts)
    discovered = read(tmp_path, "discovered.txt", subnet.ibnetdiscover)
    routes = read_routes(discovered, tmp_path / "lfts.txt")
    assert routes.text.count('"by":"destination"') == 1
