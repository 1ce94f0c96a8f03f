"""Which batch system is meant: by the machine file, or by where this process runs."""

from __future__ import annotations

from weft.scheduler.base import Scheduler
from weft.scheduler.generic import CLUSTER, LOCAL, Generic
from weft.scheduler.slurm import Slurm

#: Slurm first: some sites set PBS's variables beside its own. Grid Engine's name is no rare one.
INSIDE: tuple[Scheduler, ...] = (
    Slurm(),
    Generic("PBS", "PBS_JOBID", host_file="PBS_NODEFILE"),
    Generic("LSF", "LSB_JOBID", host_file="LSB_DJOB_HOSTFILE"),
    Generic("Flux", "FLUX_JOB_ID"),
    Generic("Cobalt", "COBALT_JOBID", host_file="COBALT_NODEFILE"),
    Generic("Grid Engine", "JOB_ID", host_file="PE_HOSTFILE"),
)


def scheduler_here() -> Scheduler:
    """The batch system in whose job this process runs."""
    return next((each for each in INSIDE if each.own_job_id()), LOCAL)


def scheduler_called(name: str | None) -> Scheduler:
    """The batch system that calls itself so in messages and histories; Slurm unless one does."""
    return next((each for each in INSIDE if each.name == name), INSIDE[0])


def scheduler_named(name: str | None) -> Scheduler:
    """The batch system that a machine file calls `name` (`slurm`, `other`); else none."""
    if name == "slurm":
        return Slurm()
    return CLUSTER if name == "other" else LOCAL
