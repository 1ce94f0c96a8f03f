"""`topology: [{kind: torus, k: 4}, …]` sweeps whole topologies, each with keys of its own."""

import pytest
from weft.plan.expansion import expand

REST = "defaults: [override /workload: uniform]\n"
WHOLE = """sweep:
  topology:
    - {kind: torus, sizes: [4, 4]}
    - {kind: fat_tree, k: 4, levels: 2}
"""
ZIPPED = """sweep:
  zip:
    - topology: [torus, fat_tree]
      topology.sizes: [[4, 4], null]
      topology.k: [null, 4]
      topology.levels: [null, 2]
"""


def topologies(tree, body):
    tree.experiment(REST + body)
    return [point.spec["topology"] for point in expand(tree.load())]


def test_each_topology_has_its_own_keys(tree):
    torus, fat_tree = topologies(tree, WHOLE)
    assert (torus["kind"], torus["sizes"]) == ("torus", [4, 4])
    assert (fat_tree["kind"], fat_tree["k"], fat_tree["levels"]) == ("fat_tree", 4, 2)


def test_they_are_the_points_of_a_zip_with_null(tree):
    assert topologies(tree, WHOLE) == topologies(tree, ZIPPED)


def test_a_name_alone_has_the_keys_of_the_section(tree):
    body = "topology: {k: 4}\nsweep:\n  topology: [torus, {kind: fat_tree, levels: 2}]\n"
    assert [(each["kind"], each["k"]) for each in topologies(tree, body)] == [
        ("torus", 4),
        ("fat_tree", 4),
    ]


def test_they_multiply_with_other_axes(tree):
    assert len(topologies(tree, f"{WHOLE}  workload.per_node: [1, 2]\n")) == 4


@pytest.mark.parametrize(
    ("entry", "key", "line", "words"),
    [
        ("{kind: torus, kk: 4}", "sweep.topology.kk", 7, "did you mean 'topology.k'?"),
        ("{kind: tours, k: 4}", "sweep.topology", 6, "did you mean 'torus'?"),
        ("{kind: torus, k: -4}", "topology.k", 7, "must be greater than or equal to 2"),
        ("{k: 4}", "sweep.topology", 6, "a whole topology needs its kind: {kind: torus, k: 4}"),
    ],
)
def test_a_mistake_is_shown_in_its_line(tree, entry, key, line, words):
    tree.experiment(f"{REST}sweep:\n  topology:\n    - {entry}\n    - {{kind: mesh, k: 4}}\n")
    error = tree.error()
    assert (error.key, error.mark.line) == (key, line)
    assert words in error.message


def test_only_topologies_may_be_whole(tree):
    body = f"{REST}sweep:\n  network: [gigabit, {{latency: 1 us}}]\n"
    tree.refuses(body, "sweep.network", "only a topology may be whole", "configs/network")


LATER = """sweep:
  topology:
    - {kind: torus, k: 4}
    - {kind: mesh, k: 4}
    - {kind: mesh, k: -1}
"""
CONDITIONAL = """topology: {kind: torus, k: 4}
sweep:
  workload.per_node: [1, 2]
  topology: {when: workload.per_node == 1, values: [{kind: torus, k: 4},
    {kind: mesh, k: -1}]}
"""


@pytest.mark.parametrize("body", [LATER, CONDITIONAL])
def test_a_mistake_of_a_later_topology_is_shown_in_its_own_line(tree, body):
    """Others have the same key, and two are of one kind."""
    tree.experiment(REST + body)
    error = tree.error()
    assert (error.key, error.mark.line) == ("topology.k", 9)
