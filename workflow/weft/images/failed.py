"""Builds that failed in this run: other images that need the same one do not try again.

Seven images start from one. Without the internet each of them would print the same failure.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

#: Names the run, for all processes that it starts.
VARIABLE = "WEFT_RUN"


def begin_run() -> None:
    """What this process and those that it starts do belongs to one run."""
    os.environ[VARIABLE] = f"{os.getpid()}-{time.time_ns()}"


def note_failed(image: Path) -> None:
    """The build of `image` has failed; outside of runs nothing is noted."""
    if run := os.environ.get(VARIABLE):
        _note(image).write_text(run)


def has_failed(image: Path) -> bool:
    """Whether a build of `image` has failed in this run."""
    run = os.environ.get(VARIABLE)
    try:
        return bool(run) and _note(image).read_text() == run
    except OSError:
        return False


def forget_failed(image: Path) -> None:
    """The image is there."""
    _note(image).unlink(missing_ok=True)


def _note(image: Path) -> Path:
    return image.with_name(f".{image.stem}.failed")
