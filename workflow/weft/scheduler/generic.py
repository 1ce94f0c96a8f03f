"""Batch systems that are known by the number of a job alone, and no batch system."""

from __future__ import annotations

import os
from dataclasses import dataclass

from weft.scheduler.base import JobEnd, Limits


@dataclass(frozen=True, slots=True)
class Generic:
    """A batch system that weft asks nothing; `variable` holds the job's number inside of a job."""

    name: str
    variable: str | None = None
    batch: bool = True

    def own_job_id(self) -> str | None:
        """The number of this process's job."""
        return os.environ.get(self.variable) if self.variable else None

    def end_of(self, job_id: str) -> JobEnd | None:
        """Nobody knows."""
        return None

    def limits(self, partition: str | None) -> Limits:
        """Nobody knows."""
        return Limits()


LOCAL = Generic("this machine", batch=False)
#: Whatever takes jobs by a command.
CLUSTER = Generic("the batch system")
