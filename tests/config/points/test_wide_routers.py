"""Topologies that an engine's routers cannot make are refused when planning."""

from __future__ import annotations

import pytest

PROGRAM = (
    "engines: [anet]\ndefaults: [{defaults}override /network: anet, override /workload: pingpong]\n"
)
LEAVES = "".join(f"n{leaf},s{leaf}\n" for leaf in range(8))
STAR = "".join(f"s0,s{leaf}\n" for leaf in range(1, 8))


def graph(tree, text: str) -> str:
    (tree.root / "net.csv").write_text("from,to\n" + text)
    defaults = "override /topology: graph, "
    return PROGRAM.format(defaults=defaults) + "topology: {file: net.csv}\n"


def test_a_graph_with_seven_links_at_a_switch_is_refused_with_the_line_of_the_seventh(tree):
    body = graph(tree, LEAVES + STAR)
    words = "net.csv line 16: s0 has 7 links to other switches, must have at most 6 for anet"
    tree.refuses(body, "topology.file", words)


def test_two_links_between_the_same_switches_count_twice(tree):
    text = "from,to,count\n" + LEAVES.replace("\n", ",1\n") + "s0,s1,7\n"
    text += "".join(f"s{leaf},s{leaf + 1},1\n" for leaf in range(1, 7))
    body = graph(tree, "")
    (tree.root / "net.csv").write_text(text)
    tree.refuses(body, "topology.file", "net.csv line 10: s0 has 7 links to other switches")


def test_a_graph_with_three_nodes_at_a_switch_is_refused_with_the_line_of_the_third(tree):
    body = graph(tree, "a,s0\nb,s1\nc,s0\ns0,s1\nd,s0\n")
    words = "net.csv line 6: s0 has 3 nodes, must have at most 2 for anet"
    tree.refuses(body, "topology.file", words)


def test_six_links_and_two_nodes_are_no_mistake(tree):
    body = graph(tree, LEAVES[:-6] + "h0,s0\n" + STAR[:-6])
    tree.experiment(body)
    assert tree.load()


def test_other_engines_take_wide_graphs(tree):
    tree.experiment(graph(tree, LEAVES + STAR).replace("[anet]", "[flow]"))
    assert tree.load()


@pytest.mark.parametrize(
    ("topology", "keys", "key"),
    [
        ("fat_tree", "{k: 4, levels: 2}", "topology.k"),
        ("dragonfly", "{p: 3}", "topology.p"),
        ("flattened_butterfly", "{k: 3, dimensions: 1}", "topology.concentration"),
        ("hypercube", "{dimensions: 7}", "topology.dimensions"),
    ],
)
def test_topologies_whose_routers_are_wider_are_refused_by_their_numbers(tree, topology, keys, key):
    body = PROGRAM.format(defaults=f"override /topology: {topology}, ")
    tree.refuses(f"{body}topology: {keys}\n", key, "a router of A-NET")


def test_a_fly_has_no_routers_of_both_directions(tree):
    body = PROGRAM.format(defaults="override /topology: fly, ") + "topology: {k: 2, stages: 2}\n"
    file = "configs/topology/fly.yaml"
    tree.refuses(body, "topology.kind", "a router of A-NET has its node for both", file=file)
