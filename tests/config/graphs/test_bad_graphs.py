"""A graph file with a mistake: one message with the line, before anything runs."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from weft.config.graphs.model import GraphProblem
from weft.config.graphs.naming import NodeRule
from weft.config.graphs.read import read_graph

DATA = Path(__file__).resolve().parents[2] / "data" / "infiniband"
HEAD = "from,to\n"
GOOD = "cn1,s1\ncn2,s2\ns1,s2\n"
MISTAKES = [
    ("", "the file is empty; its first line must hold from, to"),
    (HEAD, "the file lists no link"),
    ("form,to\n" + GOOD, "line 1: unknown column 'form'; did you mean 'from'?"),
    ("from,to,to\n", "line 1: the column 'to' occurs twice"),
    ("from\ncn1\n", "line 1: the column 'to' is missing"),
    ("from,to,to_port\ncn1,s1,1\n", "line 2: give both from_port and to_port"),
    (HEAD + GOOD + "cn3\n", "line 5: 1 cells under 2 columns: from, to"),
    (HEAD + GOOD + "cn3,\n", "line 5: 'to' is empty"),
    (HEAD + GOOD + "s1,s1\n", "line 5: the link joins s1 with itself"),
    (
        HEAD + GOOD + "cn3,s3\ns3,s4\ncn4,s4\n",
        "line 5: the network is not connected: no path leads from cn1 to cn3$",
    ),
    (HEAD + "cn1,cn2\n", "all names are nodes; nodes are joined by switches"),
    (HEAD + "a,b\nb,c\nc,a\n", "no name has a single link, as a node has; give node_names"),
    ("from,to,bandwidth\ncn1,s1,-4 GB/s\n", "line 2: bandwidth is '-4 GB/s': .*negative"),
    ("from,to,bandwidth\ncn1,s1,0 GB/s\n", "line 2: bandwidth is '0 GB/s': a rate must be above"),
    ("from,to,bandwidth\ncn1,s1,4\n", "line 2: bandwidth is '4': .*like '4 GB/s'"),
    ("from,to,latency\ncn1,s1,4 GB\n", "line 2: latency is '4 GB': expected a time"),
    ("from,to,count\ncn1,s1,0\n", "line 2: count is '0': must be a whole number from 1"),
    ("from,to,one_way\ncn1,s1,maybe\n", "line 2: one_way is 'maybe': must be yes or no"),
    (
        "from,to,from_port,to_port\ncn1,s1,1,1\ncn2,s1,1,1\n",
        "line 3: port 1 of s1 is in line 2 already",
    ),
    (
        "from,to,from_port,to_port\ncn1,s1,1,1\ncn2,s1,,\n",
        "line 3: this link has no port on s1, but others have",
    ),
    ("from,to,one_way\ncn1,s1,yes\ncn2,s1,no\n", "line 2: no link leads into the node cn1"),
    (HEAD + 'cn1,"s,1"\n', "line 2: the name 's,1' holds a comma or a quotation mark"),
    (HEAD + 'cn1,"s1\n', "line 2: not a line of a CSV file"),
]


def problem(folder: Path, name: str, content: str | bytes, rule: NodeRule | None = None) -> str:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(GraphProblem) as caught:
        read_graph(path, rule or NodeRule())
    return str(caught.value)


@pytest.mark.parametrize(("text", "message"), MISTAKES, ids=[m for _, m in MISTAKES])
def test_a_mistake_in_an_edge_list(tmp_path: Path, text: str, message: str) -> None:
    assert re.search(message, problem(tmp_path, "x.csv", text))


def test_a_link_of_two_nodes(tmp_path: Path) -> None:
    text = HEAD + GOOD + "cn3,cn4\n"
    found = problem(tmp_path, "x.csv", text, NodeRule(names=("cn*",)))
    assert found == "line 5: the link joins the nodes cn3 and cn4; put a switch between"


def test_a_name_that_no_node_matches(tmp_path: Path) -> None:
    """One of several patterns, too: it names a node that the file lacks."""
    for names, wrong in [(("node*",), "node*"), (("cn*", "cnn1"), "cnn1")]:
        found = problem(tmp_path, "x.csv", HEAD + GOOD, NodeRule(names=names))
        assert found.startswith(f"no name matches '{wrong}' of node_names")
    assert found.endswith("; did you mean 'cn1'?")


@pytest.mark.parametrize("fabric", ["fat_tree_4x4", "torus_4x4"])
@pytest.mark.parametrize("tool", ["ibnetdiscover", "iblinkinfo"])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.77, 0.95])
def test_output_that_was_cut(tmp_path: Path, fabric: str, tool: str, share: float) -> None:
    text = (DATA / f"{fabric}.{tool}.txt").read_text()
    found = problem(tmp_path, "fabric.txt", text[: int(len(text) * share)])
    assert re.match(r"line \d+: .*was the text cut", found)


def test_a_lane_of_unknown_speed(tmp_path: Path) -> None:
    text = (DATA / "fat_tree_4x4.ibnetdiscover.txt").read_text().replace("4xSDR", "4xZDR", 1)
    found = problem(tmp_path, "fabric.txt", text)
    assert re.match(r"line \d+: the link's speed is ZDR, must be SDR, DDR", found)


def test_a_file_of_another_format(tmp_path: Path) -> None:
    assert problem(tmp_path, "x.txt", "graph { a -- b }").startswith("the format is not known")
    assert problem(tmp_path, "x.csv", b"PK\x03\x04\xff\xfe").startswith("line 1: the byte 0xff")


def test_100_mb_of_garbage(tmp_path: Path) -> None:
    garbage = b"\x00garbage,\n" * (100 * 2**20 // 10)
    assert problem(tmp_path, "x.csv", garbage).startswith("line 1: ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<graphml><graph>", "line 1: not valid XML: no element found"),
        ("<svg/>", "line 1: the file begins with <svg>, must be <graphml>"),
        ("<graphml>\n<graph><node/></graph></graphml>", "line 2: 'id' is missing"),
        (
            '<graphml><graph><node id="a"/>\n<edge source="a" target="b"/></graph></graphml>',
            "line 2: there is no node with the id 'b'",
        ),
        (
            '<graphml><graph><node id="a"/><node id="b"/><node id="s"/>\n<node id="lonely"/>'
            '<edge source="a" target="s"/><edge source="b" target="s"/></graph></graphml>',
            "line 2: lonely has no link",
        ),
        ('<!DOCTYPE g [<!ENTITY a "x">]><graphml/>', "entities are not allowed"),
        (
            '<graphml><graph><node id="a"/><node id="b"/><node id="s"/>\n<node id="alone"/>\n'
            '<edge source="a" target="s"/><edge source="b" target="s"/></graph></graphml>',
            "line 2: alone has no link",
        ),
        (
            '<graphml><key id="k" attr.name="kind"/><graph>\n<node id="a"><data key="k">host</data>'
            "</node></graph></graphml>",
            "line 2: kind of 'a' is 'host', must be node or switch",
        ),
    ],
)
def test_a_mistake_in_graphml(tmp_path: Path, text: str, message: str) -> None:
    assert message in problem(tmp_path, "x.graphml", text)


@settings(max_examples=200)
@given(st.binary(max_size=400), st.sampled_from([".csv", ".graphml", ".txt"]))
def test_any_bytes_are_a_graph_or_a_problem(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, suffix: str
) -> None:
    path = tmp_path_factory.mktemp("any") / f"x{suffix}"
    path.write_bytes(content)
    with pytest.raises(GraphProblem):
        read_graph(path, NodeRule())


@settings(max_examples=100)
@given(st.data())
def test_a_damaged_edge_list_is_a_graph_or_a_problem(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    text = "from,to,bandwidth,count,one_way\n" + GOOD.replace("\n", ",1 GB/s,1,no\n")
    place = data.draw(st.integers(0, len(text)))
    inserted = data.draw(st.sampled_from([",", "\n", '"', "-", "0", "e", "\x00", "é", " "]))
    path = tmp_path_factory.mktemp("damaged") / "x.csv"
    path.write_text(text[:place] + inserted + text[place:])
    with suppress(GraphProblem):
        assert read_graph(path, NodeRule()).graph.nodes
