"""Slurm jobs of one task, known by the beginning of their names."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

_TIMEOUT_S = 8


@contextmanager
def cancelling(prefix: str) -> Iterator[None]:
    """Cancel the jobs beside what the block does, and then those that were submitted meanwhile."""
    beside = Thread(target=cancel_jobs, args=(prefix,))
    beside.start()
    try:
        yield
    finally:
        beside.join()
        cancel_jobs(prefix)


def cancel_jobs(prefix: str) -> None:
    """Cancel every job of this user whose name begins with `prefix`; with "" none."""
    if not prefix:
        return
    listed = _run(["squeue", "--me", "--noheader", "--format=%i %j"])
    numbers = [
        number
        for number, _, name in (line.strip().partition(" ") for line in listed.splitlines())
        if name.startswith(prefix)
    ]
    if numbers:
        # Cancelled first: nothing queues them again. Slurm itself waits half a minute for processes
        # that do not end by themselves.
        _run(["scancel", *numbers])
        _run(["scancel", "--signal=KILL", "--full", *numbers])


def _run(command: list[str]) -> str:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=_TIMEOUT_S
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout
