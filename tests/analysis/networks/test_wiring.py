"""Networks link by link: parts, distances and cuts."""

import numpy as np
import pytest
from weft.analysis.networks import distances
from weft.analysis.networks.cuts import exchanged, smallest_cut
from weft.analysis.networks.distances import node_distances
from weft.analysis.networks.wiring import Wiring, wiring_of_file, wiring_of_links

from tests.analysis.networks.graphs import clique, grid, pair_distances, ring


def both(pairs):
    return [*pairs, *((b, a) for a, b in pairs)]


def leaves_and_spines(leaves=4, spines=2, each=4, gone=()):
    """Every leaf joined to every spine, but for the cables that are `gone`."""
    ends = [(node, node // each) for node in range(leaves * each)]
    up = [(leaf, leaves + spine) for leaf in range(leaves) for spine in range(spines)]
    left = [pair for pair in up if pair not in gone]
    return Wiring(len(ends), leaves + spines, ends, ends, both(left), both(gone))


#: Two nodes with a rail each to the switches a and b, and one of one rail.
RAILS = {
    "nodes": ["n0:0", "n0:1", "n1:0", "n1:1", "n2"],
    "rails": [2, 2, 1],
    "switches": ["a", "b"],
    "channels": {
        "from": [0, 1, 2, 3, 4, 5, 6, 5, 6, 5, 5, 6],
        "to": [5, 6, 5, 6, 5, 0, 1, 2, 3, 4, 6, 5],
    },
}


def test_a_cable_holds_a_channel_each_way():
    wiring = Wiring(0, 3, [], [], [(0, 1), (1, 0), (0, 1), (1, 0), (1, 2)])
    assert wiring.switch_cables == 3


def test_failed_cables_count_as_parts_and_carry_nothing():
    wiring = leaves_and_spines(gone=[(0, 4)])
    assert (wiring.switch_cables, wiring.most_ports) == (8, 6)
    assert wiring.whole.sum() == 2 * 7


def test_rails_are_cables_of_one_node():
    wiring = wiring_of_file(RAILS)
    assert (wiring.nodes, wiring.node_cables, wiring.switch_cables) == (3, 5, 1)
    # Each node has a rail to the switch of every other one.
    assert node_distances(wiring).mean == 0


def test_a_cut_says_whether_links_have_speeds_of_their_own():
    slow = {**RAILS["channels"], "slower": [2.0] * 2 + [1.0] * 10}
    several = Wiring(2, 2, [(0, 0), (1, 1)], [(0, 0), (1, 1)], both([(0, 1)]), alike=False)
    assert not wiring_of_file({**RAILS, "channels": slow}).alike
    assert not smallest_cut(several).alike


def test_rows_of_the_table_links_are_a_network():
    rows = [("injection", "node 0", "router 0"), ("injection", "node 1", "router 1"),
            ("ejection", "router 0", "node 0"), ("ejection", "router 1", "node 1"),
            ("x+", "router 0", "router 1"), ("failed", "router 1", "router 0")]  # fmt: skip
    wiring = wiring_of_links(rows)
    assert (wiring.nodes, wiring.switches) == (2, 2)
    assert (wiring.channels, wiring.failed) == ([(0, 1)], [(1, 0)])


@pytest.mark.parametrize("sizes", [[5], [4, 3], [3, 3, 2]])
def test_distances_are_those_of_every_pair(sizes):
    wiring = grid(sizes, ring, each=2)
    found = node_distances(wiring)
    assert (found.mean, found.longest) == pytest.approx(pair_distances(wiring))


def test_failures_make_ways_longer():
    # From leaf 0, only spine 1 is left, and from leaf 1 only spine 0: their nodes are 4 apart.
    found = node_distances(leaves_and_spines(gone=[(0, 4), (1, 5)]))
    assert (found.mean_is, found.longest) == ("exact", 4)


def test_a_network_that_is_cut_has_no_distances():
    assert node_distances(leaves_and_spines(gone=[(0, 4), (0, 5)])) is None


def test_of_a_large_network_a_sample_is_counted(monkeypatch):
    wiring = grid([6, 6], ring)
    monkeypatch.setattr(distances, "_MOST_STEPS", 9 * len(wiring.channels))
    found = node_distances(wiring)
    assert (found.mean_is, found.longest_is) == ("about", "at_least")
    # All switches of a torus see the same.
    assert found.mean == pytest.approx(pair_distances(wiring)[0])


def test_a_cut_leaves_switches_without_nodes_where_they_cut_least():
    # Each spine loses the cables to two of four leaves, wherever it is.
    assert smallest_cut(leaves_and_spines()).links == 4


def test_a_cut_goes_where_links_failed():
    assert smallest_cut(leaves_and_spines(gone=[(0, 4), (1, 4)])).links == 2


def test_a_cut_finds_the_waist():
    # Two cliques of four, numbered alternately, joined by one cable.
    pairs = [(a, b) for a in range(8) for b in range(a) if a % 2 == b % 2]
    ends = [(n, n) for n in range(8)]
    cut = smallest_cut(Wiring(8, 8, ends, ends, both([*pairs, (0, 1)])))
    assert (cut.links, cut.nodes, cut.links_are) == (1, 4, "at_most")


def test_one_switch_and_unequal_halves_have_no_cut():
    ends = [(node, min(node, 1)) for node in range(3)]
    assert (
        smallest_cut(Wiring(3, 1, [(n, 0) for n in range(3)], [(n, 0) for n in range(3)], []))
        is None
    )
    # One node against two is as equal as whole switches allow.
    assert smallest_cut(Wiring(3, 2, ends, ends, both([(0, 1)]))).nodes == 1


def test_a_clique_is_cut_in_the_middle():
    assert smallest_cut(grid([6], clique, each=2)).links == 9


def test_exchanges_part_what_is_hardly_joined():
    # Two cliques of four, of which two switches each begin on the wrong side.
    joined = np.kron(np.eye(2, dtype=int), 1 - np.eye(4, dtype=int))
    found = exchanged(joined, np.array([0, 0, 1, 1, 0, 0, 1, 1]), np.ones(8, dtype=int))
    assert len({*found[:4]}) == len({*found[4:]}) == 1
    assert found.sum() == 4


def test_exchanges_make_no_cut_larger():
    ringed = grid([4, 4], ring).whole.toarray()
    planes, ones = np.arange(16) // 8, np.ones(16, dtype=int)
    assert (exchanged(2 * ringed, planes, ones) == planes).all()
