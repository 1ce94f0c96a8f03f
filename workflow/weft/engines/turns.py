"""One measurement at a time on this machine: runs of different experiments go on side by side."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from weft.files import open_lock, take_lock
from weft.machine import MachineFile

LOCK = ".measuring"


@contextmanager
def turn_to_measure(results: Path, machine: MachineFile) -> Iterator[None]:
    """Wait until no other job of these `results` measures, and let none begin meanwhile.

    A batch system gives each job nodes of its own, so its jobs wait for none.
    """
    if machine.batch_system != "none":
        yield
        return
    with open_lock(results / LOCK) as file:
        if not take_lock(file):
            message = "waiting for another measurement on this machine to end"
            print(message, file=sys.stderr, flush=True)
            take_lock(file, wait=True)
        yield
