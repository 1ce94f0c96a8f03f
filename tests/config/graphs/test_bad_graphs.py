"""A graph file with a mistake: one message with the line, before anything runs."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import product
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
    ("from;to\ncn1;s1\n", "line 1: columns are separated by semicolons, must be by commas"),
    ("from\tto\ncn1\ts1\n", "line 1: columns are separated by tabs, must be by commas"),
    ("from,to,to\n", "line 1: the column 'to' occurs twice"),
    ("from\ncn1\n", "line 1: the column 'to' is missing"),
    ("from,to,to_port\ncn1,s1,1\n", "line 2: give both from_port and to_port"),
    (HEAD + GOOD + "cn3\n", "line 5: 1 cells under 2 columns: from, to"),
    (HEAD + GOOD + "cn3,\n", "line 5: 'to' is empty"),
    (HEAD + GOOD + "s1,s1\n", "line 5: the link joins s1 with itself; its ends must be two"),
    (
        HEAD + GOOD + "cn3,s3\ns3,s4\ncn4,s4\n",
        "line 5: no path leads from cn1 to cn3; every node must reach every other$",
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
    (
        "from,to,one_way\ncn1,s1,yes\ncn2,s1,no\n",
        "line 2: no link leads into the node cn1; .* one_way",
    ),
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


def test_a_link_of_two_nodes_with_rails_has_their_names(tmp_path: Path) -> None:
    text = HEAD + "n0,s1\nn1,s1\nn1,n0\n"
    found = problem(tmp_path, "x.csv", text, NodeRule(names=("n*",)))
    assert found == "line 4: the link joins the nodes n1 and n0; put a switch between"


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


SIZE_BYTES = 100 * 2**20
HUGE = [
    ("x.csv", b"", b"\x00garbage,\n", "line 1: the line holds a zero byte"),
    ("x.csv", b"", b"garbage", "line 1: the line has more than 1,000 characters"),
    ("x.csv", b"from,to\n", b"cn1,s1\n", "line 65537: cn1 has more than 65,535 links"),
    ("x.csv", b"from,to,count\n", b"cn1,s1,65535\n", "line 3: cn1 has more than 65,535 links"),
    ("x.csv", b'from,to\n"', b"cn1,s1\n", "line 2: not a line of a CSV file"),
    ("x.csv", b"from,to\n", b"#\n", "line 2000001: the file has more than 2,000,000 lines"),
    ("x.txt", b"", b"\xffgarbage\n", "line 1: the byte 0xff is not UTF-8"),
    ("x.txt", b"", b"garbage\n", "line 2000001: the file has more than 2,000,000 lines"),
    ("x.txt", b"Switch: s1:\n ==>", b"garbage", "line 2: the line has more than 1,000 characters"),
    ("x.graphml", b"", b"garbage\n", "line 1: not valid XML"),
    ("x.graphml", b"<graphml>\n", b"<a>", "line 2: elements are nested more than 100 deep"),
    (
        "x.graphml",
        b'<graphml><graph><node id="a"/><node id="s"/>\n',
        b'<edge source="a" target="s"/>\n',
        "line 65537: a has more than 65,535 links",
    ),
    (
        "x.graphml",
        b'<graphml><key id="k" attr.name="kind"/><graph><node id="a">\n<data key="k">',
        b"garbage",
        "line 2: 'kind' has more than 1,000 characters",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "head", "unit", "message"), HUGE)
def test_100_mb_of_garbage_or_of_one_link(
    tmp_path: Path, name: str, head: bytes, unit: bytes, message: str
) -> None:
    """Files are read only as far as their first mistake, so these are refused at once."""
    content = head + unit * (SIZE_BYTES // len(unit))
    assert problem(tmp_path, name, content).startswith(message)


def test_more_links_than_a_file_may_have(tmp_path: Path) -> None:
    """One line can list many cables; they are counted before they are stored."""
    text = "from,to,count\n" + "".join(f"a{each},b{each},60000\n" for each in range(17))
    found = problem(tmp_path, "x.csv", text)
    assert found == "line 18: more than 1,000,000 links, the most of a file"


@pytest.mark.slow
def test_rows_are_counted_before_all_of_them_are_read(tmp_path: Path) -> None:
    """A mistake far behind the first rows is not reached; one in them comes first."""
    rows = "".join(f"s{row // 60},t{row % 60}_{row}\n" for row in range(120_000))
    text = f"from,to\n# a remark\n{rows}t0_0,s0,too many cells\n" + "\ns0,s1\n" * 900_000
    # Of 120,001 rows the last is in line 120,003; each further one is in a second line.
    line = 120_003 + 2 * (1_000_001 - 120_001)
    found = problem(tmp_path, "x.csv", text)
    assert found == f"line {line}: more than 1,000,000 links, the most of a file"
    early = text.replace("\ns0,t3_3\n", "\ns0\n", 1)
    assert problem(tmp_path, "x.csv", early).startswith("line 6: 1 cells under 2 columns")


def test_a_file_above_the_limit_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "x.graphml"
    with path.open("wb") as file:
        file.truncate(256 * 2**20 + 1)
    with pytest.raises(GraphProblem, match="has 268,435,457 bytes, must have at most 268,435,456"):
        read_graph(path, NodeRule())


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
            "line 2: lonely has no link; a node needs one or more",
        ),
        ('<!DOCTYPE g [<!ENTITY a "x">]><graphml/>', "entities are not allowed"),
        (
            '<graphml><graph><node id="a"/><node id="b"/><node id="s"/>\n<node id="alone"/>\n'
            '<edge source="a" target="s"/><edge source="b" target="s"/></graph></graphml>',
            "line 2: alone has no link; a node needs one or more",
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


@pytest.mark.slow
@settings(max_examples=200)
@given(st.binary(max_size=400), st.sampled_from([".csv", ".graphml", ".txt"]))
def test_any_bytes_are_a_graph_or_a_problem(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, suffix: str
) -> None:
    path = tmp_path_factory.mktemp("any") / f"x{suffix}"
    path.write_bytes(content)
    with pytest.raises(GraphProblem):
        read_graph(path, NodeRule())


@pytest.mark.slow
@settings(max_examples=100)
@given(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1), st.booleans())
def test_links_of_one_way_join_all_nodes_or_a_pair_is_named(
    tmp_path_factory: pytest.TempPathFactory, ways: set[tuple[int, int]], split: bool
) -> None:
    """Compared with the closure of all ways; with `split`, cn0 receives from another switch."""
    ways = {(a, b) for a, b in ways if a != b} | {(0, 1)}
    reach = {(a, b) for a in range(5) for b in range(5) if a == b or (a, b) in ways}
    for via, a, b in product(range(5), repeat=3):
        if (a, via) in reach and (via, b) in reach:
            reach.add((a, b))
    into = {each: 1 if split and each == 0 else each for each in range(5)}
    rows = [f"cn{each},s{each}\ns{into[each]},cn{each}" for each in range(5)]
    rows += [f"s{a},s{b}" for a, b in sorted(ways)]
    path = tmp_path_factory.mktemp("ways") / "x.csv"
    path.write_text(
        "from,to,one_way\n" + "".join(f"{row},yes\n" for row in "\n".join(rows).split())
    )
    apart = {f"cn{a} to cn{b}" for a in range(5) for b in range(5) if (a, into[b]) not in reach}
    if not apart:
        assert len(read_graph(path, NodeRule(("cn*",))).graph.nodes) == 5
        return
    with pytest.raises(GraphProblem) as caught:
        read_graph(path, NodeRule(("cn*",)))
    assert str(caught.value).rpartition("from ")[2].partition(";")[0] in apart


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
