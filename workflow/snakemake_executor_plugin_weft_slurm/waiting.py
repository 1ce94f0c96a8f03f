"""Jobs that wait for something that will not happen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from weft.scheduler.slurm import JobState
from weft.scheduler.slurm_reasons import advice


@dataclass
class Waiting:
    """Reports once for each reason that jobs wait for something that will not happen."""

    said: set[str] = field(default_factory=set)

    def news(self, states: Mapping[str, JobState]) -> Iterator[str]:
        """Messages for the user about jobs whose reason is new."""
        jobs: dict[str, list[str]] = {}
        for job_id, job in states.items():
            if job.state == "PENDING" and job.reason and job.reason not in self.said:
                jobs.setdefault(job.reason, []).append(job_id)
        for reason, waiting in jobs.items():
            if text := advice(reason):
                self.said.add(reason)
                who = f"job {waiting[0]}" + (f" and {len(waiting) - 1} more" * (len(waiting) > 1))
                yield f"Slurm will not start {who} ({reason}): {text}"
