"""Ranks on the nodes of a measurement: its hosts, found by their names in the network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from weft.engines.base import EngineError
from weft.engines.graphs import read_topology
from weft.engines.order import PlannedPoint
from weft.plan.model import canonical_json
from weft.plan.spec import OptionsSpec, Placement, WorkloadSpec


class MeasuredPoint(TypedDict):
    """A point that was measured, and where its ranks ran."""

    seed: int
    workload: WorkloadSpec
    placement: Placement


class UnknownHostError(ValueError):
    """A host of the measurement matches no node of the network, or several."""


def placed(
    point: PlannedPoint, measured: Sequence[MeasuredPoint] | None
) -> tuple[OptionsSpec, Placement]:
    """The point's options with `rank_nodes`, and the measurement that they follow or the problem.

    Raises EngineError when nobody looked where measurements ran, or the network changed.
    """
    if measured is None:
        raise EngineError(f"point {point['point_id']} needs the nodes of a measurement")
    found = _beside(point, measured)
    if "problem" in found:
        return point["options"], found
    names = read_topology(point["topology"]).graph.hosts
    by_label = _by_label(names)
    try:
        nodes = {host: _node(host, names, by_label) for host in set(found["hosts"])}
    except UnknownHostError as error:
        return point["options"], {**found, "problem": f"{error} ({point['topology']['file']})"}
    return {**point["options"], "rank_nodes": [nodes[host] for host in found["hosts"]]}, found


def _beside(point: PlannedPoint, measured: Sequence[MeasuredPoint]) -> Placement:
    """Where the same program was measured: in the replicate of the same seed, or else the first."""
    asked = canonical_json(point["workload"])
    same = [each for each in measured if canonical_json(each["workload"]) == asked]
    if not same:
        program, ranks = point["workload"]["program"], point["workload"]["ranks"]
        return {"problem": f"no measurement of {program} with {ranks} ranks says where they ran"}
    of_seed = (each for each in same if each["seed"] == point["seed"])
    return next(of_seed, same[0])["placement"]


def _by_label(names: Sequence[str]) -> Mapping[str, list[int]]:
    """The numbers of nodes by host: fabrics name them like `node1 mlx5_0`."""
    found: dict[str, list[int]] = {}
    for number, name in enumerate(names):
        for label in {name, *name.split()[:1]}:
            found.setdefault(label, []).append(number)
    return found


def _node(host: str, names: Sequence[str], by_label: Mapping[str, list[int]]) -> int:
    """The node that a host is; the network may leave out its domain."""
    for label in (host, host.partition(".")[0]):
        found = by_label.get(label, [])
        if len(found) == 1:
            return found[0]
        if found:
            several = ", ".join(names[number] for number in found)
            raise UnknownHostError(f"the host {host} may be any of these nodes: {several}")
    raise UnknownHostError(f"the measurement ran on {host}, which is not a node of the network")
