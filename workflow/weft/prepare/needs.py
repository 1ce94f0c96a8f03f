"""How much memory and time the jobs of a plan need, as far as earlier runs show."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from weft.engines import engine
from weft.files.layout import Results
from weft.machine import MachineFile
from weft.plan.costs import Costs, Estimates
from weft.plan.model import SIMULATE_THREADS, Shard
from weft.plan.plan import Plan
from weft.plan.points import Points
from weft.prepare.job_needs import LEAST, JobNeeds, MeasuredShard, Need

#: Minutes for a job about which nothing is known; one that is cut off goes on where it was.
UNKNOWN_RUNTIME_MIN = 120
#: How far estimates are exceeded before a job is cut off.
MEMORY_SLACK, RUNTIME_SLACK = 2.0, 3.0
MB = 1e6


def job_needs(plan: Plan, costs: Costs, results: Path) -> JobNeeds:
    """What the jobs of `plan` need, with what its machine file says in place of estimates."""
    given = _given(plan.machine)
    estimates = costs.of(plan.points)
    simulate, measure = LEAST, {}
    for shard, places in plan.placed():
        own = estimates.at(places)
        if engine(shard.engine).kind == "hardware":
            need = _measurement(own, plan.machine.timeout_s).given(*given)
            measure[shard.shard_id] = MeasuredShard(need, _ranks(plan.points.take(places)))
        elif not _finished(plan.experiment, shard, results):
            simulate = simulate.at_least(_needs(own, SIMULATE_THREADS, UNKNOWN_RUNTIME_MIN))
    return JobNeeds(simulate.given(*given), measure, plan.machine)


def _given(machine: MachineFile) -> tuple[int | None, int | None]:
    """Megabytes and minutes that the machine file says jobs shall ask for."""
    memory, runtime = machine.memory_per_job_bytes, machine.runtime_per_job_s
    return (
        math.ceil(float(memory) / MB) if memory else None,
        math.ceil(float(runtime) / 60) if runtime else None,
    )


def _ranks(points: Points) -> int:
    return max((int(point.spec["workload"].get("ranks", 1)) for point in points), default=1)


def _measurement(own: Estimates, timeout_s: float) -> Need:
    longest_min = math.ceil(len(own.seconds) * timeout_s / 60) + LEAST.runtime_min
    return _needs(own, 1, longest_min)


def _needs(own: Estimates, threads: int, unknown_min: int) -> Need:
    largest = np.sort(np.nan_to_num(own.memory_bytes))[::-1]
    # Where every point has a process of its own, as many processes run at a time as threads.
    at_once = threads if own.programs.any() else 1
    memory_bytes = float(largest[:at_once].sum())
    total_s, runtime_min = float(own.seconds.sum()), unknown_min
    if not math.isnan(total_s):
        longest_s = max(total_s / threads, float(own.seconds.max(initial=0.0)))
        runtime_min = math.ceil(RUNTIME_SLACK * longest_s / 60)
    return LEAST.at_least(Need(math.ceil(MEMORY_SLACK * memory_bytes / MB), runtime_min))


def _finished(experiment: str, shard: Shard, results: Path) -> bool:
    left = Results(results).experiment(experiment)
    return left.shard(shard.engine, shard.shard_id).status.exists()
