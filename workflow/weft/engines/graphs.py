"""Networks of one's own: simulators read the canonical form of a user's file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from weft.engines.base import EngineError
from weft.engines.order import ResolvedOrder, ResolvedPoint
from weft.files import replace_changed
from weft.plan.spec import TopologySpec

if TYPE_CHECKING:
    from weft.config.graphs.read import ReadGraph


def canonical_topology(topology: TopologySpec, directory: Path) -> TopologySpec:
    """The topology with the path of a canonical file in `directory`, if a file describes it.

    Raises EngineError when the file is not the one that was planned.
    """
    if topology.get("file") is None:
        return topology
    read = read_topology(topology)
    target = directory / f"graph-{read.sha256[:12]}.json"
    replace_changed(target, read.text)
    return {**topology, "file": str(target)}


def read_topology(topology: TopologySpec) -> ReadGraph:
    """What the file of a topology holds.

    Raises EngineError when it is not the one that was planned.
    """
    file = topology["file"]
    # Only graphs need the modules that read files of networks.
    from weft.config.graphs.model import GraphProblem
    from weft.config.graphs.naming import NodeRule
    from weft.config.graphs.read import read_graph, read_routes

    names, each = topology.get("node_names") or (), topology.get("nodes_per_switch")
    try:
        read = read_graph(Path(file), NodeRule(tuple(names), each))
        if routes := topology.get("routes"):
            read = read_routes(read, Path(routes))
    except (GraphProblem, OSError) as error:
        raise EngineError(f"{file} cannot be read any more: {error}") from error
    if read.sha256 != topology["sha256"]:
        raise EngineError(f"{file} has changed since the plan was made: run the same command again")
    return read


def prepare_graphs(order: ResolvedOrder, directory: Path) -> ResolvedOrder:
    """The order with canonical files in place of users' files."""
    return {**order, "points": [_prepared(point, directory) for point in order["points"]]}


def _prepared(point: ResolvedPoint, directory: Path) -> ResolvedPoint:
    # A measurement has no simulated topology.
    if not point.get("topology", {}).get("file"):
        return point
    return {**point, "topology": canonical_topology(point["topology"], directory)}
