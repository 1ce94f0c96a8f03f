"""Nodes with several links: each link is a rail, an end of the network of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from weft.config.graphs.model import GraphProblem
from weft.config.graphs.naming import NodeRule
from weft.config.graphs.read import ReadGraph, read_graph

NODES = NodeRule(names=("cn*",))
PLANES = "from,to\ncn1,b\ncn1,a\ncn2,a\ncn2,b\ncn3,a\na,b\n"


def read(folder: Path, text: str, name: str = "x.csv") -> ReadGraph:
    (folder / name).write_text(text)
    return read_graph(folder / name, NODES)


def ends(read: ReadGraph) -> list[tuple[str, str]]:
    names = [*read.graph.nodes, *read.graph.switches]
    return [(names[each.start], names[each.end]) for each in read.graph.channels]


def test_every_link_of_a_node_is_a_rail_in_the_order_of_its_switches(tmp_path: Path) -> None:
    found = read(tmp_path, PLANES)
    assert found.graph.hosts == ["cn1", "cn2", "cn3"]
    assert list(found.graph.nodes) == ["cn1:0", "cn1:1", "cn2:0", "cn2:1", "cn3"]
    assert {("cn1:0", "a"), ("cn1:1", "b"), ("cn2:0", "a"), ("cn2:1", "b")} < {*ends(found)}
    assert json.loads(found.text)["rails"] == [2, 2, 1]


def test_ports_of_a_node_order_its_rails(tmp_path: Path) -> None:
    text = "from,from_port,to,to_port\ncn1,2,a,1\ncn1,1,b,1\ncn2,1,a,2\na,3,b,3\n"
    assert {("cn1:0", "b"), ("cn1:1", "a")} < {*ends(read(tmp_path, text))}


def test_two_cables_to_one_switch_are_two_rails(tmp_path: Path) -> None:
    text = "from,to,count\ncn1,a,2\ncn2,a,1\n"
    found = read(tmp_path, text)
    assert list(found.graph.nodes) == ["cn1:0", "cn1:1", "cn2"]
    assert {each.end_port for each in found.graph.channels if each.start < 3} == {0, 1, 2}


def test_the_identity_does_not_depend_on_the_order_of_lines(tmp_path: Path) -> None:
    head, *lines = PLANES.splitlines()
    other = read(tmp_path, "\n".join([head, *reversed(lines)]), "y.csv")
    assert other.sha256 == read(tmp_path, PLANES).sha256


def test_a_graph_without_rails_has_no_key_for_them(tmp_path: Path) -> None:
    found = read(tmp_path, "from,to,one_way\ncn1,a,yes\na,cn1,yes\ncn2,a,no\n")
    assert "rails" not in json.loads(found.text)
    assert found.graph.hosts == found.graph.nodes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "from,to,one_way\ncn1,a,yes\na,cn1,yes\ncn1,a,yes\ncn2,a,no\n",
            "line 2: the node cn1 has several links, so each must lead both ways",
        ),
        (PLANES + "cn1:0,a\n", "cn1:0 is the name of a rail here; give it another name"),
    ],
)
def test_what_cannot_be_a_rail(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(GraphProblem) as caught:
        read(tmp_path, text)
    assert str(caught.value) == message
