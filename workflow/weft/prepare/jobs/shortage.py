"""How often the jobs of a shard lacked memory or time, by their history."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from weft.engines.jobs import points_added, read_jobs, settle_if_idle

#: Slurm reports `FAILED` for every job that ends badly, so this state says nothing.
NO_REASON = (None, "FAILED")
#: How an engine says that its program was ended: by itself, or as a shell reports it.
KILLED = re.compile(r"killed by signal 9\b|exit code 137\b")
TERMINATED = re.compile(r"killed by signal 15\b|exit code 143\b")


@dataclass(frozen=True, slots=True)
class Shortage:
    """Jobs that lacked memory and time."""

    memory: int = 0
    time: int = 0


def shortage(folder: Path, attempt: int, *, goes_on: bool = False) -> Shortage:
    """What the jobs of the shard in `folder` lacked, as far as none is at work there.

    If a job was killed or terminated for an unknown reason, it counts as one that lacked memory or
    time. That holds only for Snakemake's own retries: people kill jobs, too. Where the next job
    `goes_on`, one whose time was up lacked none if it has measured something.
    """
    settle_if_idle(folder)
    jobs = read_jobs(folder)
    added = points_added(folder, jobs) if goes_on else [0] * len(jobs)
    slow = [job for job, points in zip(jobs, added, strict=True) if not points]
    jobs, slow = ([job for job in each if not job.get("idle")] for each in (jobs, slow))
    states = [job.get("slurm_state") for job in jobs]
    endings = [_unexplained(job) for job in jobs]
    return Shortage(
        states.count("OUT_OF_MEMORY") + min(endings.count("killed"), attempt - 1),
        [job.get("slurm_state") for job in slow].count("TIMEOUT")
        + min([_unexplained(job) for job in slow].count("terminated"), attempt - 1),
    )


def _unexplained(job: Mapping[str, object]) -> str | None:
    """`killed` or `terminated` if that is all that is known of a job."""
    state, outcome = job.get("slurm_state"), job.get("outcome")
    detail = str(job.get("detail", "")) if outcome == "failed" else ""
    if state not in NO_REASON:
        return None
    if outcome == "killed" or KILLED.search(detail):
        return "killed"
    # Slurm reports a time limit as TIMEOUT: somebody terminated a job that FAILED.
    if state is None and (outcome == "terminated" or TERMINATED.search(detail)):
        return "terminated"
    return None
