"""Virtual channels that the routes of graphs need, failures taken away: known before anything runs.

The catalogue says how many its routings need. Those of graphs depend on the links that are there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from weft.config import Experiment
from weft.config.language.errors import Problem
from weft.config.model.declaration import VirtualChannels
from weft.config.model.failures import AROUND, GRAPH
from weft.engines.graphs import canonical_topology
from weft.plan.points import Points
from weft.plan.spec import PointSpec, TopologySpec
from weft.prepare.plans.simulator_answers import answer

#: Networks are looked through while they have at most so many nodes together; of larger ones the
#: points themselves say it.
_MOST_NODES = 20_000


def shortages(experiment: Experiment, points: Points, folder: Path) -> Iterator[Problem]:
    """Points with fewer virtual channels than the routes of their graph need."""
    known: dict[str, tuple[int, str] | None] = {}
    most: dict[tuple[str, int, str], tuple[int, str, str]] = {}
    left = _MOST_NODES
    for key, given, topology, seed in _asked(experiment, points):
        question = json.dumps([topology, seed])
        if question not in known:
            left -= topology["nodes"]
            if left < 0:
                break
            known[question] = _needed(experiment, canonical_topology(topology, folder), seed)
        need = known[question]
        if need is not None and given < need[0]:
            at_least, because = need
            drawn = f" with the failures of seed {seed}" if topology.get("failed") else ""
            case = key, given, topology["routing"]
            if case not in most or most[case][0] < at_least:
                most[case] = at_least, drawn, because
    for (key, given, routing), (at_least, drawn, because) in most.items():
        yield Problem(
            "topology.failed" if drawn else "topology.routing",
            f"{key} is {given}, and routes {routing}{drawn} need at least {at_least}: {because}; "
            f"set {key}: {at_least}",
        )


def _asked(experiment: Experiment, points: Points) -> Iterator[tuple[str, int, TopologySpec, int]]:
    """Each number of virtual channels with its key, its graph, and the seed of the graph."""
    graphs = [_is_graph(json.loads(text)) for text in points.texts("topology")]
    # The code of points without a topology is -1.
    places = np.flatnonzero(np.array([*graphs, False])[points.codes("topology")])
    seen: set[str] = set()
    for point in points.take(places):
        keys = experiment.declared[point.engine].virtual_channels
        if keys is None:
            continue
        (key, given), topology = _given(keys, point.spec), point.spec["topology"]
        key = re.sub(r"^options(?=\.)", f"engine.{point.engine}", key)
        own = (topology.get("failed") or {}).get("seed")
        seed = point.seed if own is None else own
        if (
            isinstance(given, int)
            and (asked := json.dumps([key, given, topology, seed])) not in seen
        ):
            seen.add(asked)
            yield key, given, topology, seed


def _is_graph(topology: TopologySpec) -> bool:
    return topology.get("kind") == GRAPH or topology.get("routing") in AROUND


def _given(keys: VirtualChannels, spec: PointSpec) -> tuple[str, object]:
    """The key that decides the number in this point, and the number."""
    for key in filter(None, (keys.count_of_network, keys.count)):
        value: object = spec
        for name in key.split("."):
            value = value.get(name) if isinstance(value, Mapping) else None
        if value is not None:
            return key, value
    return keys.count, keys.unless_given


def _needed(experiment: Experiment, topology: TopologySpec, seed: int) -> tuple[int, str] | None:
    """How many virtual channels routes need, and why; None where that is not known."""
    done = answer(experiment, "flow", "needs", {"topology": topology, "seed": seed})
    if done is None or done.returncode:
        return None
    found = json.loads(done.stdout)
    return found["at_least"], found["because"]
