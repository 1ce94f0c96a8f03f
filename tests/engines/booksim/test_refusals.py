"""Points that BookSim2 cannot simulate: reported before anything runs, else as a failed point."""

import pytest
from weft.config.model.engine import declared_engines
from weft.engines.booksim.configuration import InexpressibleError
from weft.engines.booksim.simulation import simulations

from tests.engines.booksim.points import (
    BATCH,
    FLY,
    MESH,
    NETWORK,
    ROOT,
    TORUS,
    TRAFFIC,
    TREE,
    options,
    point,
)

ODD = {**MESH, "sizes": [5, 5], "k": 5, "nodes": 25}
BUTTERFLY = {
    "kind": "flattened_butterfly", "k": 4, "dimensions": 2, "concentration": 4,
    "routing": "minimal", "nodes": 64,
}  # fmt: skip
HOT = {**TRAFFIC, "pattern": "hotspot", "hotspot_nodes": [1]}
#: Both the declaration and the adapter refuse these, the latter by the words on the right.
BOTH = [
    ({"kind": "dragonfly", "p": 2, "routing": "minimal", "nodes": 72}, TRAFFIC, {}, "dragonfly"),
    ({**TREE, "routing": "dmodk"}, TRAFFIC, {}, "nca or anca, not by dmodk"),
    ({**TORUS, "ties": "plus"}, TRAFFIC, {}, "breaks ties at random"),
    (TREE, TRAFFIC, {"virtual_channels": "per_destination"}, "for mesh and torus"),
    (MESH, TRAFFIC, {"channel_latency_cycles": 2}, "not 2 on this mesh"),
    (MESH, {**TRAFFIC, "include_self": False}, {}, "set include_self: true"),
    (ODD, {**TRAFFIC, "pattern": "tornado"}, {}, "tornado is tornado_ceil"),
    (MESH, {**TRAFFIC, "pattern": "all_to_all"}, {}, "no pattern all_to_all"),
    (MESH, {**HOT, "hotspot_fraction": 0.5}, {}, "must be 1, not 0.5"),
    (MESH, {**TRAFFIC, "search": "saturation"}, {}, "leave out search"),
    (MESH, {**BATCH, "pattern": "file", "file": "x.csv"}, {}, "reads no message lists"),
    ({**BUTTERFLY, "routing": "ugal"}, TRAFFIC, {}, "routing minimal"),
    (BUTTERFLY, {**TRAFFIC, "pattern": "neighbor"}, {}, "allowed is uniform"),
    ({**BUTTERFLY, "concentration": 2}, TRAFFIC, {}, "square concentration"),
    ({"kind": "hypercube", "dimensions": 3, "routing": "minimal_adaptive", "nodes": 8}, TRAFFIC,
     {}, "e_cube only"),
    (MESH, TRAFFIC, {"arbiter": "age"}, "compare ages"),
]  # fmt: skip


@pytest.mark.parametrize(("topology", "workload", "more", "reason"), BOTH)
def test_the_declaration_refuses_before_anything_runs(topology, workload, more, reason):
    capabilities = declared_engines(ROOT / "configs")["booksim"].capabilities
    sections = {"topology": topology, "workload": workload, "network": NETWORK}
    assert capabilities.problems({**sections, "options": options(**more)})


@pytest.mark.parametrize(("topology", "workload", "more", "reason"), BOTH)
def test_the_adapter_refuses_with_the_reason(topology, workload, more, reason):
    with pytest.raises(InexpressibleError, match=reason):
        list(simulations(point(topology, workload, **more)))


@pytest.mark.parametrize("topology", [MESH, TORUS, TREE, FLY])
@pytest.mark.parametrize("workload", [TRAFFIC, BATCH])
def test_the_declaration_refuses_nothing_else(topology, workload):
    capabilities = declared_engines(ROOT / "configs")["booksim"].capabilities
    sections = {"topology": topology, "workload": workload, "network": NETWORK}
    assert capabilities.problems({**sections, "options": options()}) == []


def test_grids_of_unequal_sizes_are_refused():
    grid = {"kind": "mesh", "sizes": [4, 8], "nodes": 32}
    with pytest.raises(InexpressibleError, match=r"same size in every dimension, not \[4, 8\]"):
        list(simulations(point(grid)))


def test_any_tie_is_right_on_an_odd_torus():
    assert list(simulations(point({**ODD, "kind": "torus", "ties": "plus"})))


def test_messages_of_several_packets_are_refused_with_the_number_of_flits():
    with pytest.raises(InexpressibleError, match=r"4 packets.*packet_flits to 64 or more"):
        list(simulations(point(MESH, {**TRAFFIC, "message_bytes": [1024]})))


def test_delayed_messages_are_refused():
    with pytest.raises(InexpressibleError, match="does not delay messages"):
        list(simulations(point(network={**NETWORK, "latency_s": 1e-6})))


def test_bursts_without_pauses_are_refused():
    bursts = {"injection_process": "on_off", "burst_messages": 1.1, "burst_rate": 1.0}
    workload = {**TRAFFIC, **bursts, "injection_rate": 0.6, "message_bytes": [16]}
    with pytest.raises(InexpressibleError, match="shorter than a cycle"):
        list(simulations(point(MESH, workload)))
