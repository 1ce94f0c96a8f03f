"""Room on a worker's disk."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterable
from pathlib import Path

#: How long the folder of a task stays whose worker was killed: the task may come back.
_KEPT_S = 7 * 24 * 3600
#: With less, what a run prints no longer fits.
_FULL_BYTES = 1 << 20


def free_bytes(folder: Path) -> int:
    """What is free where a folder lies, or will lie."""
    there = next(each for each in (folder, *folder.parents) if each.exists())
    return shutil.disk_usage(there).free


def is_full(folder: Path) -> bool:
    """Whether nothing more fits."""
    return free_bytes(folder) < _FULL_BYTES


def remove_left(tasks: Path, unneeded: Iterable[Path] = ()) -> None:
    """Remove the folders of tasks that nobody needs, or in which nothing has changed for a week."""
    unneeded = set(unneeded)
    for folder in tasks.glob("*"):
        if folder in unneeded or time.time() - folder.stat().st_mtime > _KEPT_S:
            shutil.rmtree(folder, ignore_errors=True)
