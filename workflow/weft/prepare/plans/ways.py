"""What the open measurements of an experiment cost in the queue: packed, and in one allocation.

Both ways are packed and asked for as a run does it, so that the numbers are those of its jobs.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from numpy.typing import NDArray

from weft.config import Experiment
from weft.engines.journal import done_points
from weft.files.layout import Results
from weft.plan.costs import Costs
from weft.plan.model import Shard
from weft.plan.outcomes import Outcomes
from weft.plan.pack import Packing, pack
from weft.plan.plan import Plan
from weft.prepare.jobs.estimates import job_needs
from weft.prepare.jobs.resources import Resources

PACKED, ALLOCATED = "packed by nodes", "one allocation"
HEADINGS = ("experiment", "measured", "chosen", "jobs", "in the queue", "most nodes", "node-hours")


@dataclass(frozen=True, slots=True)
class Way:
    """One way to measure what is open; `entries` are submissions, more than `jobs` where a job
    needs more time than one may have."""

    experiment: str
    name: str
    chosen: bool
    jobs: int
    entries: int
    nodes: int
    node_hours: float

    @property
    def cells(self) -> tuple[str, ...]:
        """As a line of the table below `HEADINGS`."""
        counts = (self.jobs, self.entries, self.nodes, f"{self.node_hours:.1f}")
        return (self.experiment, self.name, "yes" if self.chosen else "", *map(str, counts))


def ways(
    experiment: Experiment,
    plan: Plan,
    packing: Packing,
    outcomes: Outcomes,
    results: Path,
    refused: Container[str],
) -> tuple[Way, ...]:
    """Both ways, the chosen one first; none where a batch system has nothing to measure."""
    machine = plan.machine
    if machine.batch_system == "none" or not packing.measuring:
        return ()
    mine = [shard for shard in plan.shards if shard.engine in packing.measuring]
    todo = _open(plan, mine, outcomes, results, refused)
    if not todo.any():
        return ()
    ids = frozenset(plan.points.ids_at(np.flatnonzero(todo)))
    real = [shard for shard in mine if not ids.isdisjoint(shard.point_ids)]
    chosen = _cost(plan, real, packing.costs, results, refused, chosen=True)
    other = replace(machine, allocation=None if machine.allocates else "one")
    changed = replace(experiment, machine=other)
    versions = {shard.engine: shard.engine_version for shard in mine}
    versions = {**dict.fromkeys(experiment.engines, ""), **versions}
    shards = [*pack(changed, plan.points, todo, versions, packing)]
    elsewhere = replace(plan, machine=other, shards=tuple(shards))
    return chosen, _cost(elsewhere, shards, packing.costs, results, refused, chosen=False)


def table(found: Iterable[Way]) -> list[str]:
    """The lines that `snakemake plan` prints below its overview; none where nothing is measured."""
    lines = [HEADINGS, *(way.cells for way in found)]
    if len(lines) == 1:
        return []
    widths = [max(len(line[place]) for line in lines) for place in range(len(HEADINGS))]
    return ["  ".join(_aligned(line, widths)).rstrip() for line in lines]


def _aligned(line: Sequence[str], widths: Sequence[int]) -> Iterable[str]:
    for place, (text, width) in enumerate(zip(line, widths, strict=True)):
        yield text.ljust(width) if place < 3 else text.rjust(width)


def _open(
    plan: Plan,
    shards: Sequence[Shard],
    outcomes: Outcomes,
    results: Path,
    refused: Container[str],
) -> NDArray[np.bool_]:
    """Which points a run would measure."""
    found = np.zeros(len(plan.points), bool)
    folder = Results(results).experiment(plan.experiment)
    for shard, places in plan.points.of_shards(shards):
        if outcomes(shard) is not None:
            continue
        known = done_points(folder.shard(shard.engine, shard.shard_id).journal)
        ids = plan.points.ids_at(places)
        found[places] = [each not in known and each not in refused for each in ids]
    return found


def _cost(
    plan: Plan,
    shards: Sequence[Shard],
    costs: Costs,
    results: Path,
    refused: Container[str],
    *,
    chosen: bool,
) -> Way:
    needs = job_needs(replace(plan, shards=tuple(shards)), costs, results, refused)
    asking = Resources({plan.experiment: needs}, results)
    entries, most, node_min = 0, 0, 0
    for shard in shards:
        job = SimpleNamespace(experiment=plan.experiment, engine=shard.engine, shard=shard.shard_id)
        nodes, asked_min = asking.nodes(job) or 1, asking.measure_runtime_min(job, 1)
        needed_min = max(asked_min, needs.measure[shard.shard_id].need.runtime_min)
        entries += math.ceil(needed_min / asked_min)
        node_min += nodes * needed_min
        most = max(most, nodes)
    name = ALLOCATED if plan.machine.allocates else PACKED
    return Way(plan.experiment, name, chosen, len(shards), entries, most, node_min / 60)
