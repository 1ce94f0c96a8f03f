"""Points that no job of the machine can measure: they need more nodes than a job may have."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from weft.config import Experiment
from weft.config.language.errors import Problem
from weft.config.load.placing import placed
from weft.engines import engine
from weft.engines.journal import done_points
from weft.files.layout import Results
from weft.machine import MachineFile
from weft.plan.model import Shard
from weft.plan.outcomes import Outcomes
from weft.plan.plan import Plan
from weft.plan.points import ranks_of
from weft.scheduler import scheduler_named

#: So many numbers of ranks a message names.
_NAMED = 5


@dataclass(frozen=True, slots=True)
class _Most:
    """The most nodes that a job may have, and a sentence that says where that stands."""

    nodes: int
    said: str
    #: The key of the machine file that decides it.
    key: str = "machine.nodes"


def refusals(
    experiment: Experiment, plan: Plan, outcomes: Outcomes, results: Path
) -> dict[str, str]:
    """Why points are not measured, by point; says so once, with the place of the mistake.

    Points that were measured before count, whatever the machine allows today.
    """
    measuring = [shard for shard in plan.shards if engine(shard.engine).kind == "hardware"]
    most = _most(plan.machine) if measuring else None
    if most is None:
        return {}
    found: dict[str, str] = {}
    ranks = ranks_of(plan.points)
    wide: set[int] = set()
    for shard, places in plan.points.of_shards(measuring):
        asked = {int(each) for each in np.unique(ranks[places])}
        if not (too_many := {n for n in asked if plan.machine.nodes_of(n) > most.nodes}):
            continue
        known = _measured(plan.experiment, shard, outcomes, results)
        ids = plan.points.ids_at(places)
        for point_id, number in zip(ids, ranks[places].tolist(), strict=True):
            if number in too_many and point_id not in known:
                found[point_id] = _reason([number], plan.machine, most)
                wide.add(number)
    if found:
        _say(experiment, len(found), _reason(sorted(wide), plan.machine, most), most.key)
    return found


def _most(machine: MachineFile) -> _Most | None:
    """None where no batch system gives nodes, or where it does not say how many."""
    if machine.batch_system == "none":
        return None
    given = {"machine.nodes": machine.nodes, "machine.allocation": machine.allocation}
    numbers = {key: value for key, value in given.items() if isinstance(value, int)}
    if numbers:
        key = min(numbers, key=numbers.__getitem__)
        return _Most(numbers[key], f"{key} allows {numbers[key]}", key)
    scheduler = scheduler_named(machine.batch_system)
    nodes = scheduler.limits(machine.partition or None).nodes
    if not nodes:
        return None
    name = f"partition {machine.partition}" if machine.partition else "default partition"
    return _Most(nodes, f"{scheduler.name}'s {name} gives a job {nodes}")


def _measured(experiment: str, shard: Shard, outcomes: Outcomes, results: Path) -> set[str]:
    """The points of a shard that have been measured, also where it has not ended."""
    if outcome := outcomes(shard):
        return {*outcome.done}
    left = Results(results).experiment(experiment).shard(shard.engine, shard.shard_id)
    return done_points(left.journal)


def _reason(ranks: list[int], machine: MachineFile, most: _Most) -> str:
    each = machine.ranks_per_node
    here = f", {each} on each" if each else ""
    asked = _listed(ranks)
    nodes = _listed([machine.nodes_of(number) for number in ranks])
    return f"{asked} ranks need {nodes} nodes{here}, but {most.said}"


def _listed(numbers: list[int]) -> str:
    return ", ".join([*map(str, numbers[:_NAMED]), *(["…"] if len(numbers) > _NAMED else [])])


def _say(experiment: Experiment, points: int, reason: str, key: str) -> None:
    noun = "point is" if points == 1 else "points are"
    keys = f"{key} and machine.ranks_per_node change that"
    problem = Problem("workload.ranks", f"{points} {noun} not measured: {reason}; {keys}")
    for error in placed(experiment, [problem]):
        print(f"weft: {error}", file=sys.stderr)
