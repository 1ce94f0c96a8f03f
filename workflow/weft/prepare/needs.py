"""How much memory and time the jobs of a plan need, as far as earlier runs show."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from weft.engines import engine
from weft.files.layout import Results
from weft.machine import MachineFile
from weft.plan.costs import Costs, Estimates
from weft.plan.model import SIMULATE_THREADS, Plan, Shard
from weft.plan.points import Points
from weft.prepare.resources import LEAST

#: Minutes for a job about which nothing is known; one that is cut off goes on where it was.
UNKNOWN_RUNTIME_MIN = 120
#: How far estimates are exceeded before a job is cut off.
MEMORY_SLACK, RUNTIME_SLACK = 2.0, 3.0
MB = 1e6
#: What jobs have to know of the machine.
MACHINE = (
    "ranks_per_node", "exclusive", "account", "partition", "qos", "constraint", "reservation",
    "slurm_extra",
)  # fmt: skip


def job_needs(plan: Plan, costs: Costs, results: Path) -> dict[str, Any]:
    """`simulate`: memory and time of the largest unfinished shard; `measure`: those of each shard,
    with its `ranks`; and what jobs have to know of the `machine`, where `srun` is the launcher
    if it is Slurm's.
    """
    given = _given(plan.machine)
    least = LEAST | given
    estimates = costs.of(plan.points)
    simulate, measure = dict(least), {}
    for shard, places in plan.placed():
        own = estimates.at(places)
        if engine(shard.engine).kind == "hardware":
            timeout_s = plan.machine.timeout_s
            ranks = _ranks(plan.points.take(places))
            measure[shard.shard_id] = least | {"ranks": ranks, **_measurement(own, timeout_s)}
        elif not _finished(plan.experiment, shard, results):
            need = _needs(own, SIMULATE_THREADS, UNKNOWN_RUNTIME_MIN)
            simulate = {name: max(simulate[name], need[name]) for name in LEAST}
    for need in (simulate, *measure.values()):
        need |= given
    return {"simulate": simulate, "measure": measure, "machine": _machine(plan.machine)}


def _given(machine: MachineFile) -> dict[str, int]:
    """What the machine file says that jobs shall ask for."""
    memory, runtime = machine.memory_per_job_bytes, machine.runtime_per_job_s
    found = {"memory_mb": math.ceil(float(memory) / MB)} if memory else {}
    return found | ({"runtime_min": math.ceil(float(runtime) / 60)} if runtime else {})


def _machine(machine: MachineFile) -> dict[str, Any]:
    known = {name: value for name in MACHINE if (value := getattr(machine, name))}
    known["scheduler"] = machine.batch_system
    return known | ({"srun": machine.launcher} if machine.launches_with_srun else {})


def _ranks(points: Points) -> int:
    return max((int(point.spec["workload"].get("ranks", 1)) for point in points), default=1)


def _measurement(own: Estimates, timeout_s: float) -> dict[str, int]:
    longest_min = math.ceil(len(own.seconds) * timeout_s / 60) + LEAST["runtime_min"]
    return _needs(own, 1, longest_min)


def _needs(own: Estimates, threads: int, unknown_min: int) -> dict[str, int]:
    largest = np.sort(np.nan_to_num(own.memory_bytes))[::-1]
    # Where every point has a process of its own, as many processes run at a time as threads.
    at_once = threads if own.programs.any() else 1
    memory_bytes = float(largest[:at_once].sum())
    total_s, runtime_min = float(own.seconds.sum()), unknown_min
    if not math.isnan(total_s):
        longest_s = max(total_s / threads, float(own.seconds.max(initial=0.0)))
        runtime_min = math.ceil(RUNTIME_SLACK * longest_s / 60)
    return {
        "memory_mb": max(LEAST["memory_mb"], math.ceil(MEMORY_SLACK * memory_bytes / MB)),
        "runtime_min": max(LEAST["runtime_min"], runtime_min),
    }


def _finished(experiment: str, shard: Shard, results: Path) -> bool:
    left = Results(results).experiment(experiment)
    return left.shard(shard.engine, shard.shard_id).status.exists()
