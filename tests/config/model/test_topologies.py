"""Topologies in specs: sizes that are not given, and ids that last."""

import pytest
from weft.plan import expand

#: Ids of earlier releases: results under them are kept.
IDS = {
    "mesh": ("k: 4", "cefbfe7eb129"),
    "torus": ("k: 4", "e8d0bf9aede6"),
    "fat_tree": ("k: 4", "f5544ed0174e"),
    "hypercube": ("dimensions: 3", "6082930a32f3"),
    "crossbar": ("nodes: 5", "f20b46ad9e1b"),
}


def point(tree, kind, keys, engine="flow", more=""):
    tree.experiment(
        f"engines: [{engine}]\ndefaults: [override /topology: {kind}]\ntopology: {{{keys}}}\n{more}"
    )
    (found,) = expand(tree.load())
    return found


@pytest.mark.parametrize("kind", IDS)
def test_points_keep_the_ids_of_earlier_releases(tree, kind):
    keys, known = IDS[kind]
    assert point(tree, kind, keys).point_id == known


@pytest.mark.parametrize(
    ("kind", "keys", "routing"),
    [
        ("mesh", "k: 4", "dimension_order"),
        ("torus", "k: 4", "dimension_order"),
        ("crossbar", "nodes: 5", "direct"),
    ],
)
def test_a_topology_with_one_routing_may_say_its_name(tree, kind, keys, routing):
    assert point(tree, kind, f"{keys}, routing: {routing}").point_id == IDS[kind][1]


def test_saturating_points_keep_the_ids_of_earlier_releases(tree):
    tree.experiment("defaults: [override /workload: saturation]\n")
    (found,) = expand(tree.load())
    assert found.point_id == "ebc3df6cde65"


@pytest.mark.parametrize(
    ("kind", "keys", "expected"),
    [
        ("fly", "k: 3", {"k": 3, "stages": 2, "routing": "destination_tag", "nodes": 9}),
        (
            "flattened_butterfly",
            "k: 3, dimensions: 2",
            {"k": 3, "dimensions": 2, "concentration": 3, "routing": "minimal", "nodes": 27},
        ),
        (
            "flattened_butterfly",
            "k: 4, concentration: 2",
            {"k": 4, "dimensions": 1, "concentration": 2, "routing": "minimal", "nodes": 8},
        ),
        ("dragonfly", "p: 2", {"p": 2, "a": 4, "h": 2, "routing": "minimal", "nodes": 72}),
        ("dragonfly", "p: 1, a: 3, h: 2", {"p": 1, "a": 3, "h": 2, "nodes": 21}),
    ],
)
def test_new_kinds_carry_every_number(tree, kind, keys, expected):
    found = point(tree, kind, keys).spec["topology"]
    assert found == {"kind": kind, "routing": "minimal", **expected}


def test_static_routing_of_a_hypercube_is_left_out(tree):
    assert "routing" not in point(tree, "hypercube", "dimensions: 3").spec["topology"]
    keys = "dimensions: 3, routing: minimal_adaptive"
    more = "engine: {packet: {wait_for_tail_credit: true}}\n"
    found = point(tree, "hypercube", keys, "packet", more).spec["topology"]
    assert found["routing"] == "minimal_adaptive"


@pytest.mark.parametrize(
    ("kind", "keys"), [("fly", "k: 4"), ("flattened_butterfly", "k: 3"), ("dragonfly", "p: 1")]
)
def test_digit_patterns_are_for_every_kind_with_digits(tree, kind, keys):
    assert point(tree, kind, keys, more="workload: {pattern: tornado}\n").spec


def test_transpose_needs_a_square_dragonfly(tree):
    tree.refuses(
        "defaults: [override /topology: dragonfly]\ntopology: {p: 2}\n"
        "workload: {pattern: transpose}\n",
        None,
        "the topology has 72",
    )


def test_endless_dragonfly(tree):
    tree.refuses(
        "defaults: [override /topology: dragonfly]\ntopology: {p: 999}\n",
        None,
        "more than 16,777,216 nodes",
    )


@pytest.mark.parametrize("kind", ["fly", "flattened_butterfly", "dragonfly"])
def test_wrong_routing_names_the_nearest(tree, kind):
    keys = "p: 1" if kind == "dragonfly" else "k: 2"
    tree.refuses(
        f"defaults: [override /topology: {kind}]\ntopology: {{{keys}, routing: minimum}}\n",
        "topology.routing",
        "allowed: ",
    )
