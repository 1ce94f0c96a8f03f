"""The same network reads the same from every format; the InfiniBand texts are the tools' own."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from weft.config.graphs.model import Graph
from weft.config.graphs.naming import NodeRule, natural
from weft.config.graphs.read import ReadGraph, read_graph

DATA = Path(__file__).resolve().parents[2] / "data" / "infiniband"
TWO_LEAVES = "from,to\ncn1,leaf1\ncn2,leaf2\nleaf1,leaf2\n"


def read(folder: Path, name: str, text: str, rule: NodeRule | None = None) -> ReadGraph:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_graph(path, rule or NodeRule())


def named(graph: Graph) -> list[tuple[str, str]]:
    names = [*graph.nodes, *graph.switches]
    return sorted((names[each.start], names[each.end]) for each in graph.channels)


@pytest.mark.parametrize("fabric", ["fat_tree_4x4", "torus_4x4"])
def test_both_infiniband_tools_list_the_same_network(fabric: str) -> None:
    discovered = read_graph(DATA / f"{fabric}.ibnetdiscover.txt", NodeRule())
    linked = read_graph(DATA / f"{fabric}.iblinkinfo.txt", NodeRule())
    assert discovered.sha256 == linked.sha256


def test_a_fat_tree_of_ibnetdiscover_has_its_cables_ports_and_speeds() -> None:
    graph = read_graph(DATA / "fat_tree_4x4.ibnetdiscover.txt", NodeRule()).graph
    assert list(graph.nodes) == [f"node{number:02}" for number in range(16)]
    assert list(graph.switches) == ["leaf0", "leaf1", "leaf2", "leaf3", "spine0", "spine1"]
    assert named(graph).count(("leaf0", "spine1")) == 2, "two cables join each leaf with each spine"
    assert {each.bandwidth_bytes_per_s for each in graph.channels} == {1e9}, "4xSDR is 8 Gbit/s"
    assert len({each.name for each in graph.channels}) == len(graph.channels)


def test_channel_adapters_are_nodes_and_keep_their_names(tmp_path: Path) -> None:
    text = (DATA / "fat_tree_4x4.ibnetdiscover.txt").read_text().replace('"node05"', '"node04"')
    graph = read(tmp_path, "fabric.txt", text).graph
    twins = [name for name in graph.nodes if name.startswith("node04")]
    assert {*twins} == {"node04 (H-0000000000100008)", "node04 (H-000000000010000a)"}


def test_an_edge_list_holds_ports_speeds_classes_and_several_cables(tmp_path: Path) -> None:
    text = (
        "# the small cluster\n"
        "from, to, bandwidth, latency, count, class\n"
        "cn1, leaf1, 10 GB/s, 50 ns,, \n"
        "cn2, leaf2, 10 GB/s, 50 ns,, \n"
        "leaf1, leaf2,, 1 us, 3, optical\n"
    )
    graph = read(tmp_path, "small.csv", text).graph
    between = list(graph.between_switches())
    assert [(each.start_port, each.end_port) for each in between[::2]] == [(1, 1), (2, 2), (3, 3)]
    assert {each.channel_class for each in between} == {"optical"}
    assert {each.latency_s for each in between} == {1e-6}
    assert {each.bandwidth_bytes_per_s for each in between} == {None}
    nodes = [each for each in graph.channels if each not in between]
    assert {(each.bandwidth_bytes_per_s, each.latency_s) for each in nodes} == {(1e10, 5e-8)}


def test_graphml_and_an_edge_list_say_the_same(tmp_path: Path) -> None:
    edges = "".join(
        f'<edge source="{a}" target="{b}"><data key="d0">{speed}</data></edge>\n'
        for a, b, speed in (
            ("cn1", "leaf1", "1 GB/s"),
            ("cn2", "leaf2", "1 GB/s"),
            ("leaf1", "leaf2", ""),
        )
    )
    nodes = "".join(f'<node id="{name}"/>' for name in ("cn1", "cn2", "leaf1", "leaf2"))
    text = (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
        '<key id="d0" for="edge" attr.name="bandwidth" attr.type="string"/>\n'
        f'<graph edgedefault="undirected">{nodes}\n{edges}</graph></graphml>\n'
    )
    listed = "from,to,bandwidth\ncn1,leaf1,1 GB/s\ncn2,leaf2,1 GB/s\nleaf1,leaf2,\n"
    assert read(tmp_path, "a.graphml", text).sha256 == read(tmp_path, "a.csv", listed).sha256


def test_nodes_per_switch_gives_nodes_to_a_graph_of_switches(tmp_path: Path) -> None:
    ring = "from,to\n" + "".join(f"r{i},r{(i + 1) % 4}\n" for i in range(4))
    graph = read(tmp_path, "ring.csv", ring, NodeRule(per_switch=2)).graph
    assert list(graph.nodes) == [f"r{i}.{j}" for i in range(4) for j in range(2)]
    assert len(graph.channels) == 2 * (4 + 8)


def test_node_names_choose_the_nodes(tmp_path: Path) -> None:
    text = "from,to\na,s1\nb,s2\ns1,s2\ns2,edge\n"
    assert list(read(tmp_path, "x.csv", text).graph.nodes) == ["a", "b", "edge"]
    rule = NodeRule(names=("a", "b"))
    assert list(read(tmp_path, "x.csv", text, rule).graph.switches) == ["edge", "s1", "s2"]


def test_a_file_of_windows_with_spaces_in_names(tmp_path: Path) -> None:
    """A byte order mark, lines that end as there, an ending in capitals."""
    path = tmp_path / "LINKS.CSV"
    text = "from,to\r\ncn 1,leaf 1\r\ncn 2,leaf 2\r\nleaf 1,leaf 2\r\n"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    plain = read(tmp_path, "links.csv", text.replace("\r", ""))
    assert read_graph(path, NodeRule()).text == plain.text
    assert list(plain.graph.switches) == ["leaf 1", "leaf 2"]


def test_adapters_that_node_names_do_not_choose_are_no_part_of_the_network() -> None:
    """A switch of its own would carry traffic of others, and make routes through an adapter."""
    rule = NodeRule(names=("node0*",))
    graph = read_graph(DATA / "fat_tree_4x4.ibnetdiscover.txt", rule).graph
    assert list(graph.nodes) == [f"node{number:02}" for number in range(10)]
    assert list(graph.switches) == ["leaf0", "leaf1", "leaf2", "leaf3", "spine0", "spine1"]
    assert len(graph.channels) == 2 * (10 + 16)
    assert graph.left_out == {f"node{number}" for number in range(10, 16)}


def test_one_way_links_make_one_channel(tmp_path: Path) -> None:
    text = "from,to,one_way\ncn1,in,yes\ncn2,in,yes\nin,out,yes\nout,cn1,yes\nout,cn2,yes\n"
    graph = read(tmp_path, "fly.csv", text).graph
    assert named(graph) == [
        ("cn1", "in"), ("cn2", "in"), ("in", "out"), ("out", "cn1"), ("out", "cn2"),
    ]  # fmt: skip


@pytest.mark.slow
@given(st.randoms(use_true_random=False))
def test_the_identity_does_not_depend_on_the_order_of_lines_and_ends(
    tmp_path_factory: pytest.TempPathFactory, random: Random
) -> None:
    links = [("n1", "a"), ("n2", "b"), ("n10", "c"), ("a", "b"), ("b", "c"), ("c", "a"), ("a", "b")]
    shuffled = [pair[:: random.choice((1, -1))] for pair in links]
    random.shuffle(shuffled)
    folder = tmp_path_factory.mktemp("order")
    texts = ("from,to\n" + "".join(f"{a},{b}\n" for a, b in each) for each in (links, shuffled))
    first, second = (read(folder, f"{i}.csv", text) for i, text in enumerate(texts))
    assert first.text == second.text


@given(st.text(max_size=12), st.integers(0, 10**6), st.integers(0, 10**6))
def test_numbers_in_names_sort_as_numbers(stem: str, a: int, b: int) -> None:
    assert (natural(f"{stem}x{a}") < natural(f"{stem}x{b}")) == (a < b)
