"""Batch systems: one protocol, and Slurm, others, and none behind it."""

from weft.scheduler.base import JobEnd, RequestLimits, Scheduler
from weft.scheduler.find import scheduler_called, scheduler_here, scheduler_named
from weft.scheduler.generic import CLUSTER, LOCAL, Generic
from weft.scheduler.slurm import Slurm

__all__ = [
    "CLUSTER",
    "LOCAL",
    "Generic",
    "JobEnd",
    "RequestLimits",
    "Scheduler",
    "Slurm",
    "scheduler_called",
    "scheduler_here",
    "scheduler_named",
]
