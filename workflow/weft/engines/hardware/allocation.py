"""Measurements that are steps of one allocation: their order, and what is noted of each."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NotRequired, TypedDict

from weft.engines.order import ResolvedPoint
from weft.machine import MachineFile
from weft.scheduler import scheduler_here


class StepFacts(TypedDict):
    """A step of an allocation, as `runs.environment` has it."""

    #: The batch system's number of the job, unless that has none.
    job: str | None
    #: Nodes that the job has.
    nodes: int
    #: Its place in the order, from 1, and of how many.
    step: int
    steps: int
    #: How many of its other nodes simulated beside it, where the machine file lets them.
    simulating: NotRequired[int]


def drawn(points: Sequence[ResolvedPoint], seed: int) -> list[ResolvedPoint]:
    """The points in an order that the seed draws, so that a drift is not mistaken for a trend."""
    found = sorted(points, key=lambda point: point["point_id"])
    Random(seed).shuffle(found)
    return found


def nodes_of(points: Sequence[ResolvedPoint], machine: MachineFile) -> int:
    """The nodes of the widest point, which are those of the allocation."""
    wide = [machine.nodes_of(int(point["workload"]["ranks"])) for point in points]
    return max(wide, default=1)


def step_facts(
    step: int, points: Sequence[ResolvedPoint], machine: MachineFile, simulating: int = 0
) -> StepFacts:
    """What is noted of the point in place `step` of the drawn `points`."""
    found: StepFacts = {
        "job": scheduler_here().own_job_id(),
        "nodes": nodes_of(points, machine),
        "step": step,
        "steps": len(points),
    }
    if machine.simulates_when_idle:
        found["simulating"] = simulating
    return found
