"""The root of a graph's routes is one of its switches."""

import pytest

GRAPH = "from,to\nn0,leaf0\nn1,leaf1\nleaf0,spine\nleaf1,spine\n"
BODY = "topology: {{kind: graph, file: net.csv, routing: up_down, root: {}}}\n"


@pytest.fixture(autouse=True)
def _graph(tree):
    (tree.root / "net.csv").write_text(GRAPH)


@pytest.mark.parametrize(
    ("root", "words"),
    [
        ("spin", "unknown switch 'spin'; did you mean 'spine'? allowed: leaf0, leaf1, spine"),
        ("n0", "unknown switch 'n0'; allowed: leaf0, leaf1, spine"),
    ],
)
def test_a_root_that_is_no_switch_is_a_mistake_before_anything_runs(tree, root, words):
    tree.refuses(BODY.format(root), "topology.root", words)


def test_a_root_may_be_any_switch(tree):
    tree.experiment(BODY.format("leaf1"))
    assert tree.load()
