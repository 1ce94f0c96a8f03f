"""Fewer wake-ups of Snakemake's scheduler.

With a limit of jobs per time, each wake-up of the scheduler orders the next one, a timespan later.
Every job that ends wakes the scheduler, too, and so starts one more such chain, which lasts as long
as the run. After n jobs the scheduler looks at all waiting jobs n times in each timespan.

Snakemake knows runs without a limit, but no option or profile asks for one: the option has a
default and takes no empty value. A longer timespan is no way out, because a command ends only when
its last chain has slept for a whole timespan.
"""

from __future__ import annotations

from typing import Protocol

#: Snakemake's limit where nobody asks for one: jobs, and seconds.
UNASKED = (100, 1)


class RateLimit(Protocol):
    """How many jobs may start in `timespan` seconds."""

    @property
    def max_jobs(self) -> int:
        """The number of jobs."""

    @property
    def timespan(self) -> float:
        """Seconds."""


class LimitedScheduler(Protocol):
    """The part of Snakemake's scheduler that holds the limit."""

    job_rate_limiter: RateLimit | None


def wake_for_jobs_alone(scheduler: LimitedScheduler, *, executor: str) -> None:
    """Drop the limit, unless somebody asked for it and the `executor` does not keep it itself."""
    limit = scheduler.job_rate_limiter
    if limit and (executor == "weft-slurm" or (limit.max_jobs, limit.timespan) == UNASKED):
        scheduler.job_rate_limiter = None
