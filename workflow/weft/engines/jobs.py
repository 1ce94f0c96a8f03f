"""The history of a shard's jobs: `jobs.jsonl`, a line for each start, end and later finding.

Lines with the same `job` belong together. A start without an end was killed: nothing in a process
can report a SIGKILL, so the next job, or the collection, asks Slurm what happened.
"""

from __future__ import annotations

import json
import os
import platform
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import zip_longest
from pathlib import Path
from types import FrameType
from typing import TypedDict
from uuid import uuid4

from weft.files import take_lock
from weft.files.layout import JOBS, JOURNAL
from weft.scheduler import scheduler_called, scheduler_here

MOST_DETAIL = 300
#: For how long weft asks Slurm about a job whose end it did not report.
ASKED_AGAIN = timedelta(minutes=10)


class Job(TypedDict, total=False):
    """One job of a shard, or what a line adds to it."""

    job: str
    host: str
    pid: int
    started_at: str
    ended_at: str
    asked_at: str
    scheduler: str | None
    slurm_job_id: str | None
    slurm_state: str
    slurm_nodes: str
    restart_count: int
    image: str | None
    points_before: int
    #: `done`, `failed`, `terminated`, `killed` or `lost`.
    outcome: str
    #: The first line of an error.
    detail: str
    #: Whether nothing more can be found out.
    settled: bool
    #: Whether a node of an allocation did this that had nothing to measure: its end says nothing
    #: about what the shard needs.
    idle: bool


@contextmanager
def recorded(directory: Path, image: Path | None, *, idle: bool = False) -> Iterator[None]:
    """Note the start and the end of this process's work in `directory`, and whether it is that of
    an `idle` node.

    SIGTERM, which Slurm sends at the time limit, is noted before it ends the process.
    """
    settle(directory)
    job = uuid4().hex[:12]
    start = _start(directory, job, image)
    _append(directory, start | {"idle": True, "restart_count": 0} if idle else start)
    with _noting_sigterm(directory, job):
        try:
            yield
        except BaseException as error:
            _append(directory, _end(job, "failed", str(error)))
            raise
        _append(directory, _end(job, "done"))


def read_jobs(directory: Path) -> list[Job]:
    """The jobs of a shard, first to last, each as one dictionary; torn lines are left out."""
    found: dict[str, Job] = {}
    try:
        text = (directory / JOBS).read_text(errors="replace")
    except OSError:
        return []
    for raw in text.splitlines():
        try:
            line = json.loads(raw)
            found.setdefault(line["job"], {}).update(line)
        except (ValueError, TypeError, KeyError):
            continue
    return list(found.values())


def points_added(directory: Path, jobs: Sequence[Job]) -> list[int]:
    """How many points each of a shard's `jobs` has put into its journal."""
    begun = [int(job.get("points_before", 0)) if "host" in job else None for job in jobs]
    found, after = [], _points(directory)
    for before in reversed(begun):
        found.append(max(0, after - before) if before is not None else 0)
        after = after if before is None else before
    return found[::-1]


def goes_on(directory: Path, slurm_job_id: str | None) -> bool:
    """Whether a Slurm job whose time was up has added points, so that the next one ends later."""
    jobs = read_jobs(directory)
    added = points_added(directory, jobs)
    mine = [
        n for job, n in zip(jobs, added, strict=True) if job.get("slurm_job_id") == slurm_job_id
    ]
    return bool(slurm_job_id and mine and mine[-1])


def note_lost(directory: Path, slurm_job_id: str) -> None:
    """Record a Slurm job that ended before it wrote its start: cancelled while it waited."""
    if any(job.get("slurm_job_id") == slurm_job_id for job in read_jobs(directory)):
        return
    directory.mkdir(parents=True, exist_ok=True)
    _append(directory, _end(f"slurm-{slurm_job_id}", "lost") | {"slurm_job_id": slurm_job_id})


def outcome_of(directory: Path, slurm_job_id: str | None) -> str | None:
    """The end that a Slurm job wrote; None if it wrote none."""
    jobs = [job for job in read_jobs(directory) if job.get("slurm_job_id") == slurm_job_id]
    return str(jobs[-1]["outcome"]) if jobs and jobs[-1].get("outcome") else None


def settle(directory: Path) -> None:
    """Find out what became of earlier jobs. Only for who holds the shard's lock.

    A job that wrote its end is asked for where another one came after it: it was cancelled, or its
    node was lost, before Snakemake knew.
    """
    jobs = read_jobs(directory)
    for job, later in zip_longest(jobs, jobs[1:]):
        if job.get("settled") or (job.get("outcome") == "done" and later is None):
            continue
        finding = _finding(job)
        if not finding.items() <= job.items():
            _append(directory, finding)


def _finding(job: Job) -> Job:
    """What is known of a job now; without `settled` Slurm is to be asked again."""
    number = job.get("slurm_job_id")
    found: Job = {"job": job["job"], "outcome": job.get("outcome") or "killed"}
    if not number or job.get("idle"):
        return found | {"settled": True}
    if number == scheduler_here().own_job_id():
        # Slurm starts a job again under its number when a node fails or it has to make room.
        return found | {"settled": True, "slurm_state": "REQUEUED"}
    if end := scheduler_called(job.get("scheduler")).end_of(number):
        states: Job = {"slurm_state": end.state, "slurm_nodes": end.nodes} if end.state else {}
        return found | {"settled": True} | states
    # The controller may be down, or the job may still be ending.
    asked = job.get("asked_at") or _now()
    late = datetime.now(UTC) - datetime.fromisoformat(asked) > ASKED_AGAIN
    found["asked_at"] = asked
    return found | {"settled": True} if late else found


def settle_if_idle(directory: Path) -> None:
    """As `settle`, unless a job is at work; does nothing where it may not write."""
    if not (directory / JOBS).exists():
        return
    try:
        with (directory / "lock").open("a") as file:
            if take_lock(file):
                settle(directory)
    except OSError:
        return


def _start(directory: Path, job: str, image: Path | None) -> Job:
    scheduler = scheduler_here()
    number = scheduler.own_job_id()
    # The executor hides SLURM_RESTART_COUNT from jobs, so starts under one number are counted.
    jobs = read_jobs(directory)
    earlier = [each.get("slurm_job_id") for each in jobs if not each.get("idle")]
    return {
        "job": job,
        "host": platform.node(),
        "pid": os.getpid(),
        "started_at": _now(),
        "scheduler": scheduler.name,
        "slurm_job_id": number,
        "restart_count": earlier.count(number) if number else 0,
        "image": image.name if image else None,
        "points_before": _points(directory),
    }


def _points(directory: Path) -> int:
    """Points that the journal holds, failed ones among them."""
    journal = directory / JOURNAL
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def _end(job: str, outcome: str, detail: str = "") -> Job:
    line: Job = {"job": job, "ended_at": _now(), "outcome": outcome}
    if detail:
        line["detail"] = detail.splitlines()[0][:MOST_DETAIL]
    return line


@contextmanager
def _noting_sigterm(directory: Path, job: str) -> Iterator[None]:
    def note(number: int, frame: FrameType | None) -> None:
        _append(directory, _end(job, "terminated"))
        # End as without this handler: the parent process expects a death by the signal.
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _append(directory: Path, line: Job) -> None:
    """Write one whole line; a full disk may lose it, because this history is not essential."""
    try:
        with (directory / JOBS).open("a") as file:
            file.write(json.dumps(line, sort_keys=True) + "\n")
    except OSError:
        return


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
