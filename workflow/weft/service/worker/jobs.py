"""Slurm jobs of one task, known by the beginning of their names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

from weft.scheduler.ask import ask

_PATIENCE_S = 8.0


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
    # Without --all nobody sees jobs in a hidden partition.
    listed = ask(["squeue", "--all", "--me", "--noheader", "--format=%i %j"], _PATIENCE_S) or ""
    numbers = [
        number
        for number, _, name in (line.strip().partition(" ") for line in listed.splitlines())
        if name.startswith(prefix)
    ]
    if numbers:
        # Cancelled first: nothing queues them again. Slurm itself waits half a minute for processes
        # that do not end by themselves.
        ask(["scancel", *numbers], _PATIENCE_S)
        ask(["scancel", "--signal=KILL", "--full", *numbers], _PATIENCE_S)
