"""Builds that failed, so that a run tries each of them once and the next run tries it again."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

from weft.files import replace_text
from weft.files.layout import ShardFolder

_FILE = "failed.json"
#: Stands for the run where a job belongs to none.
THIS_PROCESS = f"process {os.getpid()} since {time.time_ns()}"


class NotBuiltError(Exception):
    """A program that was not built: the reason in one line, and the last lines of output."""

    def __init__(self, reason: str, log: str = "") -> None:
        super().__init__(reason)
        self.log = log


def run_of(shard: Path) -> str:
    """A name of the run that computes now in the folder of a shard, the same for all of its jobs.

    A run writes its lock of the experiment when it begins.
    """
    try:
        begun_ns = ShardFolder(shard.absolute()).experiment.lock.stat().st_mtime_ns
    except FileNotFoundError:
        return THIS_PROCESS
    return f"run since {begun_ns}"


def recall(folder: Path, run: str) -> NotBuiltError | None:
    """How the build in `folder` failed in this run."""
    try:
        failed = json.loads((folder / _FILE).read_text())
    except FileNotFoundError:
        return None
    return NotBuiltError(failed["reason"], failed["log"]) if failed["run"] == run else None


def remember(folder: Path, run: str, error: NotBuiltError) -> None:
    """Keep for the jobs of this run how the build in `folder` failed."""
    failed = {"run": run, "reason": str(error), "log": error.log}
    replace_text(folder / _FILE, json.dumps(failed))
