"""How much memory and time the jobs of a plan need, as far as earlier runs show."""

from __future__ import annotations

import math
from collections.abc import Container
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from weft.engines import engine
from weft.engines.hardware.budget import budgeted_s
from weft.engines.journal import done_points
from weft.files.layout import Results
from weft.machine import MachineFile
from weft.plan.costs import Costs, Estimates
from weft.plan.model import SIMULATE_THREADS, Shard
from weft.plan.plan import Plan
from weft.plan.points import Points, ranks_of
from weft.prepare.jobs.job_needs import LEAST, JobNeeds, MeasuredShard, Need

#: Minutes for a job about which nothing is known; one that is cut off goes on where it was.
UNKNOWN_RUNTIME_MIN = 120
#: How far estimates are exceeded before a job is cut off.
MEMORY_SLACK, RUNTIME_SLACK = 2.0, 3.0
MB = 1e6


def job_needs(plan: Plan, costs: Costs, results: Path, refused: Container[str] = ()) -> JobNeeds:
    """What the jobs of `plan` need, with what its machine file says in place of estimates.

    Points that are `refused` need nothing. In an allocation those that its journal has need no more
    time: the next submission goes on behind them.
    """
    given = _given(plan.machine)
    estimates, ranks = costs.of(plan.points), ranks_of(plan.points)
    simulate, measure = LEAST, {}
    for shard, places in plan.placed():
        own = estimates.at(places)
        if engine(shard.engine).kind == "hardware":
            ids = plan.points.ids_at(places)
            mine = places[np.array([each not in refused for each in ids], bool)]
            timed = places
            if plan.machine.allocates:
                timed = _open(plan, shard, mine, results)
            timeout_s = plan.machine.timeout_s
            budgets_s = _budgeted_s(plan.points.take(timed), timeout_s)
            need = _measurement(estimates.at(timed), budgets_s, timeout_s).given(*given)
            most = int(ranks[mine].max(initial=1))
            measure[shard.shard_id] = MeasuredShard(need, most, refused=not len(mine))
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


def _measurement(own: Estimates, budgeted_s: NDArray[np.float64], timeout_s: float) -> Need:
    """Without earlier runs a job asks for what the budgets of its points add up to, and for one
    point that hangs until its limit; `LEAST` is the room beside that."""
    return _needs(own, 1, math.ceil((float(budgeted_s.sum()) + timeout_s) / 60))


def _budgeted_s(points: Points, timeout_s: float) -> NDArray[np.float64]:
    """Seconds that each point takes by its options; those of one spec are looked at once."""
    alike, like = points.distinct()
    found = [budgeted_s(each.spec["options"], each.spec["workload"], timeout_s) for each in alike]
    return np.array(found, float)[like]


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


def _open(plan: Plan, shard: Shard, places: NDArray[np.int64], results: Path) -> NDArray[np.int64]:
    """Those of the places that a stopped shard has not measured; all of one that has ended, which
    runs again only for other attempts."""
    if _finished(plan.experiment, shard, results):
        return places
    left = Results(results).experiment(plan.experiment).shard(shard.engine, shard.shard_id)
    known = done_points(left.journal)
    ids = plan.points.ids_at(places) if known else []
    return places[np.array([each not in known for each in ids], bool)] if known else places


def _finished(experiment: str, shard: Shard, results: Path) -> bool:
    left = Results(results).experiment(experiment)
    return left.shard(shard.engine, shard.shard_id).status.exists()
