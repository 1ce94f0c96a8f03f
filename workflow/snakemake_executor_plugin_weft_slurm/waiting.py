"""Jobs that wait for something that does not happen by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from weft.scheduler.slurm import JobState
from weft.scheduler.slurm_reasons import Passes, advice, reason_called
from weft.scheduler.slurm_states import holding


@dataclass
class Waiting:
    """Reports once for each reason, and for each state, that does not pass by itself."""

    said: set[str] = field(default_factory=set)

    def news(self, states: Mapping[str, JobState]) -> Iterator[str]:
        """Messages for the user about jobs whose reason or state is new."""
        jobs: dict[str, list[str]] = {}
        for job_id, job in states.items():
            word = job.reason if job.state == "PENDING" else job.state
            if word and word not in self.said:
                jobs.setdefault(word, []).append(job_id)
        for word, waiting in jobs.items():
            if found := _problem(states[waiting[0]]):
                self.said.add(word)
                verb, text = found
                who = f"job {waiting[0]}" + (f" and {len(waiting) - 1} more" * (len(waiting) > 1))
                yield f"Slurm {verb} {who} ({word}): {text}"


def _problem(job: JobState) -> tuple[str, str] | None:
    """What Slurm does not do with a job by itself, and what to do about it."""
    if job.state != "PENDING":
        text = holding(job.state)
        return ("does not go on with", text) if text else None
    reason = reason_called(job.reason)
    if reason.passes is Passes.ITSELF:
        return None
    verb = "will not start" if reason.passes is Passes.NEVER else "does not start"
    return verb, advice(reason)
