"""One network reads the same from the GraphML of different tools."""

from __future__ import annotations

from pathlib import Path

import pytest
from weft.config.graphs.model import GraphProblem
from weft.config.graphs.naming import NodeRule
from weft.config.graphs.read import read_graph

DATA = Path(__file__).resolve().parents[2] / "data" / "graphml"
HEAD = "from,to,count,bandwidth\n"
LINKS = "cn1,leaf1,1,{0}\ncn2,leaf1,1,{0}\ncn3,leaf2,1,{0}\ncn4,leaf2,1,{0}\n"
LINKS += "leaf1,spine,2,{1}\nleaf2,spine,1,{1}\n"


def edge_list(folder: Path, *speeds: str) -> str:
    path = folder / "same.csv"
    path.write_text(HEAD + LINKS.format(*speeds))
    return read_graph(path, NodeRule()).sha256


@pytest.mark.parametrize("tool", ["networkx", "igraph", "gephi"])
def test_speeds_and_names_of_a_tool(tmp_path: Path, tool: str) -> None:
    """igraph and Gephi number the `id`; the name is an attribute."""
    found = read_graph(DATA / f"{tool}.graphml", NodeRule())
    assert found.sha256 == edge_list(tmp_path, "1 GB/s", "10 GB/s")


def test_labels_of_yed(tmp_path: Path) -> None:
    path = tmp_path / "yed.graphml"
    path.write_text((DATA / "yed.graphml").read_text().replace('"directed"', '"undirected"'))
    assert read_graph(path, NodeRule()).sha256 == edge_list(tmp_path, "", "")


def test_what_yed_writes_as_directed_says_so() -> None:
    """yEd draws arrows unless told otherwise; the message names what to change."""
    with pytest.raises(GraphProblem) as caught:
        read_graph(DATA / "yed.graphml", NodeRule())
    assert "line 17: no link leads into the node cn1; its link is one way" in str(caught.value)
    assert 'edgedefault="directed" of GraphML' in str(caught.value)


def test_defaults_of_attributes(tmp_path: Path) -> None:
    """The switches of the file are switches by default only."""
    text = (DATA / "networkx_defaults.graphml").read_text()
    key = '<key id="d1" for="edge" attr.name="bandwidth"><default>2 GB/s</default></key>\n<graph '
    path = tmp_path / "x.graphml"
    path.write_text(text.replace("<graph ", key).replace("<graphml", "<graphml", 1))
    found = read_graph(path, NodeRule())
    assert list(found.graph.switches) == ["leaf1", "leaf2", "spine"]
    assert found.sha256 == edge_list(tmp_path, "2 GB/s", "2 GB/s")


def test_labels_that_two_nodes_share_are_no_names(tmp_path: Path) -> None:
    path = tmp_path / "x.graphml"
    path.write_text((DATA / "gephi.graphml").read_text().replace(">cn2<", ">cn1<"))
    assert list(read_graph(path, NodeRule()).graph.nodes) == ["0.0", "1.0", "2.0", "3.0"]


@pytest.mark.parametrize("encoding", ["iso-8859-1", "utf-16", "utf-8-sig"])
def test_the_encoding_that_a_file_declares(tmp_path: Path, encoding: str) -> None:
    declared = encoding.removesuffix("-sig")
    text = f'<?xml version="1.0" encoding="{declared}"?><graphml><graph>'
    text += "".join(f'<node id="{name}"/>' for name in ("cn1", "cn2", "Süd"))
    text += "".join(f'<edge source="cn{each}" target="Süd"/>' for each in (1, 2))
    path = tmp_path / "x.graphml"
    path.write_bytes((text + "</graph></graphml>").encode(encoding))
    assert list(read_graph(path, NodeRule()).graph.switches) == ["Süd"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            '<graphml><graph><node id="g">\n<graph/></node></graph></graphml>',
            "line 2: .*nested in another",
        ),
        ("<graphml><graph>\n<hyperedge/></graph></graphml>", "line 2: hyperedges are not"),
        (
            '<graphml><graph><node id="a">\n<port name="p"/></node></graph></graphml>',
            "line 2: ports",
        ),
        (
            '<graphml><graph><node id="a"/>\n<edge source="a"/></graph></graphml>',
            "line 2: 'target'",
        ),
        (
            '<?xml version="1.0" encoding="shift_jis"?><graphml/>',
            "its encoding cannot be read: mul",
        ),
        ('<?xml version="1.0" encoding="none"?><graphml/>', "its encoding cannot be read: unknown"),
    ],
)
def test_what_no_network_has(tmp_path: Path, body: str, message: str) -> None:
    path = tmp_path / "x.graphml"
    path.write_text(body)
    with pytest.raises(GraphProblem, match=message):
        read_graph(path, NodeRule())
