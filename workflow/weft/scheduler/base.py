"""What weft asks of a batch system, whichever it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class JobEnd:
    """How a job ended (`OUT_OF_MEMORY`, `TIMEOUT`, `NODE_FAIL` …; empty: well), on which nodes."""

    state: str
    nodes: str


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """The most that a job can request: memory of a node, time, and nodes; None if unknown."""

    memory_mb: int | None = None
    runtime_min: int | None = None
    nodes: int | None = None


class Scheduler(Protocol):
    """A batch system; its methods do not raise, because a run can go on without the answers."""

    @property
    def name(self) -> str:
        """What messages call it."""

    @property
    def batch(self) -> bool:
        """Whether jobs ask for nodes; False where this one machine is all there is."""

    def own_job_id(self) -> str | None:
        """The job that this process belongs to, None outside of any."""

    def end_of(self, job_id: str) -> JobEnd | None:
        """How a job ended; None if it has not ended, or if the batch system does not know."""

    def hosts(self) -> tuple[str, ...]:
        """The hosts of this process's job, each once; none where the launcher has to know them."""

    def limits(self, partition: str | None) -> RequestLimits:
        """The most that a job in `partition` (None: where jobs go by default) can ask for."""
