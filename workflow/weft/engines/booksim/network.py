"""Topology and routing in BookSim2's keys."""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt

from weft.engines.booksim.configuration import InexpressibleError, Value
from weft.plan.spec import OptionsSpec, TopologySpec

Keys = dict[str, Value]

PER_DESTINATION = "per_destination"
#: `options.torus_classes` -> routing function.
TORUS_ROUTING = {"dateline": "dim_order", "balanced": "dim_order_bal"}
#: Routing with a virtual channel for each destination.
BY_DESTINATION = "dim_order_ni"


def network_keys(topology: TopologySpec, options: OptionsSpec) -> Keys:
    """The keys of topology, routing and virtual channels.

    Raises InexpressibleError for what BookSim2 does not have.
    """
    kind = topology["kind"]
    if kind not in KINDS:
        raise InexpressibleError(
            f"BookSim2 has no {kind} as weft defines it; allowed topology.kind: " + ", ".join(KINDS)
        )
    by_destination = options["virtual_channels"] == PER_DESTINATION
    if by_destination and kind not in ("mesh", "torus"):
        raise InexpressibleError(
            f"virtual_channels: {PER_DESTINATION} is for mesh and torus, not for {kind}"
        )
    keys = KINDS[kind](topology, options)
    if by_destination:
        keys["routing_function"] = BY_DESTINATION
    count = topology["nodes"] if by_destination else options["virtual_channels"]
    return {**keys, "num_vcs": count}


def _grid(topology: TopologySpec) -> Keys:
    if "k" not in topology:
        raise InexpressibleError(
            f"BookSim2's {topology['kind']} has the same size in every dimension, "
            f"not {topology['sizes']}"
        )
    return {"topology": topology["kind"], "k": topology["k"], "n": topology["dimensions"]}


def _mesh(topology: TopologySpec, options: OptionsSpec) -> Keys:
    return {**_grid(topology), "routing_function": "dor"}


def _torus(topology: TopologySpec, options: OptionsSpec) -> Keys:
    ties = topology["ties"]
    if ties != "random" and topology.get("k", 0) % 2 == 0:
        raise InexpressibleError(
            f"BookSim2's torus breaks ties at random; ties must be random, not {ties}"
        )
    return {**_grid(topology), "routing_function": TORUS_ROUTING[options["torus_classes"]]}


def _hypercube(topology: TopologySpec, options: OptionsSpec) -> Keys:
    """A mesh of two nodes in each dimension; its routes fix the lowest digit first, too."""
    routing = topology.get("routing", "e_cube")
    if routing != "e_cube":
        raise InexpressibleError(f"BookSim2 routes a hypercube by e_cube only, not by {routing}")
    keys: Keys = {"topology": "mesh", "k": 2, "n": topology["dimensions"]}
    return {**keys, "routing_function": "dor"}


def _fat_tree(topology: TopologySpec, options: OptionsSpec) -> Keys:
    routing = topology["routing"]
    if routing not in ("nca", "anca"):
        raise InexpressibleError(f"BookSim2 routes a fat tree by nca or anca, not by {routing}")
    keys: Keys = {"topology": "fattree", "k": topology["k"], "n": topology["levels"]}
    return {**keys, "routing_function": routing}


def _fly(topology: TopologySpec, options: OptionsSpec) -> Keys:
    keys: Keys = {"topology": "fly", "k": topology["k"], "n": topology["stages"]}
    return {**keys, "routing_function": "dest_tag"}


def _crossbar(topology: TopologySpec, options: OptionsSpec) -> Keys:
    """A fly of one stage is one switch."""
    keys: Keys = {"topology": "fly", "k": topology["nodes"], "n": 1}
    return {**keys, "routing_function": "dest_tag"}


def _flattened_butterfly(topology: TopologySpec, options: OptionsSpec) -> Keys:
    """Its nodes lie in squares around the routers of a square."""
    routing, k = topology["routing"], topology["k"]
    concentration = topology.get("concentration") or k
    side = isqrt(concentration)
    if routing != "minimal" or topology["dimensions"] != 2 or side * side != concentration:
        raise InexpressibleError(
            "BookSim2's flattened butterflies have 2 dimensions, a square concentration "
            "(1, 4, 9, …) and, as weft defines it, routing minimal"
        )
    keys: Keys = {"topology": "flatfly", "k": k, "n": 2, "c": concentration, "x": k, "y": k}
    return {**keys, "xr": side, "yr": side, "routing_function": "ran_min"}


#: `topology.kind` -> how its keys are made.
KINDS: dict[str, Callable[[TopologySpec, OptionsSpec], Keys]] = {
    "mesh": _mesh,
    "torus": _torus,
    "hypercube": _hypercube,
    "fat_tree": _fat_tree,
    "fly": _fly,
    "crossbar": _crossbar,
    "flattened_butterfly": _flattened_butterfly,
}
