"""Engine `booksim`: the adapter between shards and a BookSim2 executable."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Literal

from weft.engines.base import EngineError, ShardJob
from weft.engines.booksim.answer import Runner
from weft.engines.booksim.executable import (
    ABSENT,
    executable_version,
    find_executable,
    why_absent,
)
from weft.engines.booksim.network import KINDS
from weft.engines.booksim.traffic import PATTERNS
from weft.engines.journal import JournalLine, append, finished, mend, skipped
from weft.engines.limits import PointLimits
from weft.engines.order import ResolvedPoint
from weft.machine import MachineFile


class BookSimEngine:
    """Runs a BookSim2 executable that the user supplies; without one, points are skipped."""

    name = "booksim"
    kind: Literal["simulator", "hardware"] = "simulator"

    def __init__(self, side_tables: tuple[str, ...]) -> None:
        self.side_tables = side_tables

    def describe(self) -> Mapping[str, object]:
        """Name, version of the executable on the PATH, and abilities."""
        return {
            "name": self.name,
            "version": self.version(MachineFile(), None),
            "models": [],
            "topologies": sorted(KINDS),
            "patterns": sorted(PATTERNS),
            "workloads": ["messages", "traffic"],
        }

    def version(self, machine: MachineFile, image: str | None) -> str:
        """A digest of the executable, or `absent`."""
        return executable_version(find_executable(machine))

    def run(self, job: ShardJob) -> None:
        """Simulate the points that the journal does not hold, `threads` at a time.

        Raises EngineError when the executable is not the one that the shard was planned for.
        """
        mend(job.journal)
        known = finished(job.journal)
        points = [point for point in job.shard["points"] if point["digest"] not in known]
        if job.shard["engine_version"] == ABSENT:
            # As planned, even if an executable has come since: the next plan asks again.
            _skip(job, points)
            return
        runner = Runner(
            executable=_planned_executable(job),
            directory=job.directory,
            limits=PointLimits.of(job.machine, job.machine.booksim_timeout_s),
        )
        with ThreadPoolExecutor(max_workers=max(1, job.threads)) as pool:
            lines = [pool.submit(runner.journal_line, point) for point in points]
            try:
                for each in as_completed(lines):
                    _finish(job, each.result())
            finally:
                for each in lines:
                    each.cancel()


def _planned_executable(job: ShardJob) -> Path:
    executable = find_executable(job.machine)
    here, planned = executable_version(executable), job.shard["engine_version"]
    if executable is None or here != planned:
        raise EngineError(
            f"the booksim executable here has version {here}, the plan was made for {planned}: "
            "run the same command again, or make all machines have the same"
        )
    return executable


def _skip(job: ShardJob, points: Sequence[ResolvedPoint]) -> None:
    reason = why_absent(job.machine)
    for point in points:
        append(job.journal, skipped(point, reason))
    if points:
        _log_line(job, f"{len(points)} points skipped: {reason}")


def _finish(job: ShardJob, line: JournalLine) -> None:
    append(job.journal, line)
    ending = f"failed: {line['error']}" if line["error"] else "done"
    with job.log.open("a") as file:
        file.write(f"{time.strftime('%H:%M:%S')} {line['point_id']} {ending}\n")
        if line["log"]:
            file.write(line["log"] + "\n")


def _log_line(job: ShardJob, text: str) -> None:
    print(f"{text} ({job.directory})", file=sys.stderr, flush=True)
    with job.log.open("a") as file:
        file.write(text + "\n")
