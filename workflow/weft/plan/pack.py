"""Packing points into shards, each of which one job computes.

Measurements that need different numbers of nodes never share a shard: its job would hold the nodes
of the widest one for all of them. Where the machine file asks for one allocation, that is what is
wanted: one shard then holds every measurement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from weft.plan.costs import Costs
from weft.plan.model import SIMULATE_THREADS, Shard, shard_of
from weft.plan.points import Points, calibrated, placed_as_measured, ranks_of

if TYPE_CHECKING:
    from weft.config import Experiment

#: Without history: shards of one engine that a plan aims at, and the fewest points worth a job.
TARGET_SHARDS = 40
MIN_POINTS = 32
#: The most points of a shard, however quick they are: a job holds all of its shard in memory.
MAX_POINTS = 10_000
#: What is not worth dividing.
SHORT_JOB_S = 10.0


@dataclass(frozen=True, slots=True)
class Packing:
    """What decides how many points a new shard gets.

    Where `costs` knows the points, a job takes about `shard_target` of the machine, or less if
    `lanes` jobs can run at a time and would have nothing to do otherwise. Engines that are
    `measuring` compute one point at a time, with no other job beside them.
    """

    costs: Costs = field(default_factory=Costs)
    lanes: int = 1
    measuring: frozenset[str] = frozenset()


def pack(
    experiment: Experiment,
    points: Points,
    new: NDArray[np.bool_],
    versions: Mapping[str, str],
    packing: Packing,
) -> Iterator[Shard]:
    """Shards that hold the `new` ones of `points`, engine by engine."""
    numbers, waiting = points.codes("engine"), calibrated(points) | placed_as_measured(points)
    seconds, nodes = packing.costs.of(points).seconds, _nodes(experiment, points, packing)
    for engine in experiment.engines:
        mine = new & (numbers == points.number("engine", engine))
        if _in_one(experiment, engine, packing):
            if mine.any():
                yield shard_of(engine, versions[engine], points.ids_at(np.flatnonzero(mine)))
            continue
        count = _wanted_points(experiment, engine)
        size = count or min(MAX_POINTS, max(MIN_POINTS, -(-int(mine.sum()) // TARGET_SHARDS)))
        timed = np.zeros(len(points), bool) if count else ~np.isnan(seconds)
        # Points on a calibrated network, or on measured nodes, wait for a measurement.
        each = (np.unique(nodes[mine]).tolist(), (False, True), (True, False))
        for wide, waits, known in product(*each):
            alike = (nodes == wide) & (waiting == waits) & (timed == known)
            places = np.flatnonzero(mine & alike)
            each_s = seconds[places].tolist() if known else []
            budget_s = _budget_s(experiment, engine, sum(each_s), packing)
            parts = _by_time(each_s, budget_s) if known else _by_count(len(places), size)
            for part in parts:
                yield shard_of(engine, versions[engine], points.ids_at(places[part]))


def as_packed(
    experiment: Experiment, points: Points, packing: Packing
) -> Callable[[Shard, NDArray[np.int64]], bool]:
    """Whether a shard with points at some places has the size, and the nodes, that shards now get.

    The last one of a kind may be smaller; it would be packed as it is. So would one that holds all
    measurements, which has the same name then.
    """
    nodes = _nodes(experiment, points, packing)
    counts = {name: _wanted_points(experiment, name) for name in experiment.engines}

    def judged(shard: Shard, places: NDArray[np.int64]) -> bool:
        if _in_one(experiment, shard.engine, packing):
            return False
        count = counts.get(shard.engine) or len(shard.point_ids)
        return len(shard.point_ids) == count and len(np.unique(nodes[places])) == 1

    return judged


def _in_one(experiment: Experiment, engine: str, packing: Packing) -> bool:
    """Whether one submission holds all that an engine measures."""
    return experiment.machine.allocates and engine in packing.measuring


def _nodes(experiment: Experiment, points: Points, packing: Packing) -> NDArray[np.int64]:
    """The nodes that each point asks of a batch system; one where it asks none."""
    found = np.ones(len(points), np.int64)
    if experiment.machine.batch_system == "none":
        return found
    engines = [points.number("engine", name) for name in packing.measuring]
    measured = np.isin(points.codes("engine"), engines)
    ranks = ranks_of(points)
    for each in np.unique(ranks[measured]).tolist():
        found[measured & (ranks == each)] = experiment.machine.nodes_of(each)
    return found


def _wanted_points(experiment: Experiment, engine: str) -> int | None:
    section = experiment.settings.engine.get(engine) or {}
    return int(section["shard_points"]) if section.get("shard_points") else None


def _budget_s(experiment: Experiment, engine: str, total_s: float, packing: Packing) -> float:
    """Seconds of computing that one shard shall hold."""
    target_s = experiment.machine.shard_target_s
    if engine in packing.measuring:
        return target_s
    shortest_s = min(SHORT_JOB_S, target_s) * SIMULATE_THREADS
    return min(target_s * SIMULATE_THREADS, max(total_s / packing.lanes, shortest_s))


def _by_count(points: int, size: int) -> Iterator[slice]:
    for start in range(0, points, size):
        yield slice(start, start + size)


def _by_time(seconds: Sequence[float], budget_s: float) -> Iterator[slice]:
    """Neighbours that fit into the budget, up to `MAX_POINTS`; a point beyond it is alone."""
    start, used_s = 0, 0.0
    for place, cost_s in enumerate(seconds):
        if place > start and (used_s + cost_s > budget_s or place - start == MAX_POINTS):
            yield slice(start, place)
            start, used_s = place, 0.0
        used_s += cost_s
    if seconds:
        yield slice(start, len(seconds))
