"""Closed forms of families of networks, against every pair of nodes and every cut."""

import json
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from weft.analysis.networks.cuts import smallest_cut
from weft.analysis.networks.distances import node_distances
from weft.analysis.networks.families import family_facts
from weft.analysis.networks.wiring import wiring_of_file
from weft.config.model.catalogue import CATALOGUE
from weft.config.model.topology import TOPOLOGIES
from weft.engines import engine

from tests.analysis.networks.graphs import (
    clique,
    grid,
    pair_distances,
    ring,
    row,
    smallest_bisection,
)

#: Grids of at most so many switches: their halves are up to 3,432.
SIZES = st.lists(st.integers(2, 7), min_size=1, max_size=3).filter(
    lambda sizes: 2 <= _product(sizes) <= 14
)
SPECS = [
    TOPOLOGIES[entry.kind].model_validate({"kind": entry.kind, **example.keys}).spec()
    for entry in CATALOGUE.topologies
    for example in entry.examples
]


def _product(sizes):
    found = 1
    for size in sizes:
        found *= size
    return found


def agrees(facts, wiring):
    assert (facts.nodes, facts.switches) == (wiring.nodes, wiring.switches)
    assert (facts.node_cables, facts.switch_cables) == (wiring.node_cables, wiring.switch_cables)
    assert facts.ports == wiring.most_ports
    mean, longest = pair_distances(wiring)
    assert facts.distances.mean == pytest.approx(mean)
    assert facts.distances.longest == longest
    assert facts.halves.links == smallest_bisection(wiring)


@settings(max_examples=20, deadline=None)
@given(SIZES)
def test_a_mesh_has_its_closed_forms(sizes):
    agrees(family_facts({"kind": "mesh", "sizes": sizes}), grid(sizes, row))


@settings(max_examples=20, deadline=None)
@given(SIZES)
def test_a_torus_has_its_closed_forms_also_with_rings_of_two(sizes):
    agrees(family_facts({"kind": "torus", "sizes": sizes}), grid(sizes, ring))


@pytest.mark.parametrize(("k", "dimensions", "each"), [(2, 3, 1), (3, 2, 2), (5, 1, 3), (8, 1, 2)])
def test_a_flattened_butterfly_has_its_closed_forms(k, dimensions, each):
    spec = {"kind": "flattened_butterfly", "k": k, "dimensions": dimensions, "concentration": each}
    agrees(family_facts(spec), grid([k] * dimensions, clique, each))


def test_a_hypercube_has_half_a_link_of_its_bisection_for_each_node():
    facts = family_facts({"kind": "hypercube", "dimensions": 10})
    assert (facts.switch_cables, facts.halves.links, facts.halves.share({})) == (5120, 512, 1.0)
    # Five of ten bits differ, of all but the node itself.
    assert facts.distances.mean == pytest.approx(5 * 1024 / 1023)


def test_a_fat_tree_has_full_bisection():
    # Three levels of switches with 2 · 16 ports: 16³ nodes, as in Table 1 of the MFS paper.
    facts = family_facts({"kind": "fat_tree", "k": 16, "levels": 3})
    assert (facts.nodes, facts.switches, facts.switch_cables, facts.ports) == (4096, 768, 8192, 32)
    assert (facts.distances.longest, facts.halves.share({})) == (4, 1.0)


def test_a_dragonfly_of_the_paper_has_its_parts():
    # Figure 5 of Kim et al. (ISCA 2008): p = h = 2, a = 4: 9 groups, 72 nodes.
    facts = family_facts({"kind": "dragonfly", "p": 2, "a": 4, "h": 2})
    assert (facts.nodes, facts.switches, facts.ports) == (72, 36, 7)
    assert facts.switch_cables == 9 * 6 + 9 * 8 // 2
    assert (facts.distances.longest, facts.distances.longest_is) == (3, "exact")


def test_a_switch_has_no_links_to_cut():
    facts = family_facts({"kind": "crossbar", "nodes": 5})
    assert (facts.ports, facts.distances.longest, facts.halves) == (5, 0, None)


def test_what_is_of_no_family_has_no_closed_form():
    assert family_facts({"kind": "graph", "nodes": 4}) is None
    assert family_facts({"kind": "of somebody else", "nodes": 4}) is None


def test_every_topology_of_the_catalogue_that_is_no_file_is_of_a_family():
    assert all(family_facts(spec) for spec in SPECS)


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS, ids=json.dumps)
def test_closed_forms_agree_with_what_simulators_build(spec):
    point = json.dumps({"seed": 1, "topology": spec})
    command = [str(engine("flow").checked_binary()), "export"]
    text = subprocess.run(command, input=point, capture_output=True, text=True, check=True).stdout
    wiring, facts = wiring_of_file(json.loads(text)), family_facts(spec)
    assert (facts.nodes, facts.switches) == (wiring.nodes, wiring.switches)
    assert (facts.node_cables, facts.switch_cables) == (wiring.node_cables, wiring.switch_cables)
    assert facts.ports == wiring.most_ports
    counted, tried = node_distances(wiring), smallest_cut(wiring)
    assert counted.longest == facts.distances.longest
    if facts.distances.mean_is == "exact":
        assert facts.distances.mean == pytest.approx(counted.mean)
    else:
        assert facts.distances.mean >= counted.mean - 1e-9
    if facts.halves is not None and facts.halves.links_are == "exact":
        # No cut that is tried is smaller, and halves are as equal.
        assert facts.halves.links <= tried.links
        assert facts.halves.nodes == tried.nodes
