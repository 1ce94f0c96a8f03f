"""Batch systems that are known by the number of a job alone, and no batch system."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from weft.scheduler.base import JobEnd, RequestLimits


@dataclass(frozen=True, slots=True)
class Generic:
    """A batch system that weft asks nothing; `variable` has the job's number inside of a job."""

    name: str
    variable: str | None = None
    batch: bool = True
    #: Holds the path of the file with the job's hosts: one in a line, as its first word.
    host_file: str | None = None

    def own_job_id(self) -> str | None:
        """The number of this process's job."""
        return os.environ.get(self.variable) if self.variable else None

    def end_of(self, job_id: str) -> JobEnd | None:
        """Nobody knows."""
        return None

    def hosts(self) -> tuple[str, ...]:
        """The hosts of this process's job, by the file that the batch system wrote."""
        path = os.environ.get(self.host_file) if self.host_file else None
        try:
            lines = Path(path).read_text().splitlines() if path else []
        except OSError:
            return ()
        return tuple(dict.fromkeys(words[0] for line in lines if (words := line.split())))

    def limits(self, partition: str | None) -> RequestLimits:
        """Nobody knows."""
        return RequestLimits()


LOCAL = Generic("this machine", batch=False)
#: Whatever takes jobs by a command.
CLUSTER = Generic("the batch system")
