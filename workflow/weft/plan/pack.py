"""Packing points into shards, each of which one job computes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from weft.plan.costs import Costs
from weft.plan.model import Point, Shard, needs_calibration, short_digest

if TYPE_CHECKING:
    from weft.config import Experiment

#: Points that one simulating job computes at a time; a measurement has the machine for itself.
SIMULATE_THREADS = 2
#: Without history: shards of one engine that a plan aims at, and the fewest points worth a job.
TARGET_SHARDS = 40
MIN_POINTS = 32
#: The most points of a shard, however quick they are: a job holds all of its shard in memory.
MAX_POINTS = 10_000
#: How long a job shall take (`shard_target` of the machine), and what is not worth dividing.
DEFAULT_TARGET_S = 300.0
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
    points: Sequence[Point],
    versions: Mapping[str, str],
    packing: Packing,
) -> Iterator[Shard]:
    """Shards that hold `points`, engine by engine."""
    for engine in experiment.engines:
        mine = [point for point in points if point.engine == engine]
        count = _wanted_points(experiment, engine)
        # Points on a calibrated network wait for a measurement; the others need not.
        keyed = [
            (needs_calibration(p.spec), count is None and packing.costs.seconds(p), p) for p in mine
        ]
        keyed.sort(key=lambda item: (item[0], item[1] is None))
        size = count or min(MAX_POINTS, max(MIN_POINTS, -(-len(mine) // TARGET_SHARDS)))
        for (_, timed), group in groupby(keyed, key=lambda i: (i[0], isinstance(i[1], float))):
            members = list(group)
            seconds = [float(cost or 0.0) for _, cost, _ in members]
            ids = [point.point_id for _, _, point in members]
            budget = _budget_s(experiment, engine, sum(seconds), packing)
            parts = _by_time(ids, seconds, budget) if timed else _by_count(ids, size)
            for part in parts:
                shard_id = short_digest([engine, versions[engine], part])
                yield Shard(shard_id, engine, versions[engine], part)


def _wanted_points(experiment: Experiment, engine: str) -> int | None:
    section = experiment.settings.engine.get(engine) or {}
    return int(section["shard_points"]) if section.get("shard_points") else None


def _budget_s(experiment: Experiment, engine: str, total_s: float, packing: Packing) -> float:
    """Seconds of computing that one shard shall hold."""
    target_s = float(experiment.machine.get("shard_target_s") or DEFAULT_TARGET_S)
    if engine in packing.measuring:
        return target_s
    shortest_s = min(SHORT_JOB_S, target_s) * SIMULATE_THREADS
    return min(target_s * SIMULATE_THREADS, max(total_s / packing.lanes, shortest_s))


def _by_count(ids: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    for start in range(0, len(ids), size):
        yield tuple(ids[start : start + size])


def _by_time(
    ids: Sequence[str], seconds: Sequence[float], budget_s: float
) -> Iterator[tuple[str, ...]]:
    """Neighbours that fit into the budget, up to `MAX_POINTS`; a point beyond it is alone."""
    part: list[str] = []
    used_s = 0.0
    for point_id, cost_s in zip(ids, seconds, strict=True):
        if part and (used_s + cost_s > budget_s or len(part) == MAX_POINTS):
            yield tuple(part)
            part, used_s = [], 0.0
        part.append(point_id)
        used_s += cost_s
    if part:
        yield tuple(part)
