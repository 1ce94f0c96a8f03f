"""What every engine does that drives a program of others."""

from __future__ import annotations

import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Literal

from weft.engines.base import EngineError, ShardJob
from weft.engines.journal import JournalLine, append, finished, mend, skipped
from weft.engines.order import ResolvedPoint
from weft.machine import MachineFile

#: Version of an engine where its program is missing: its points are skipped.
ABSENT = "absent"
Answering = Callable[[ResolvedPoint], JournalLine]


class ExternalEngine(ABC):
    """Runs a program that weft does not bring; where there is none, points are skipped."""

    name: str
    kind: Literal["simulator", "hardware"] = "simulator"
    image: str | None = None

    def __init__(self, side_tables: tuple[str, ...]) -> None:
        self.side_tables = side_tables

    @abstractmethod
    def describe(self) -> Mapping[str, object]:
        """Name, version of the program that is found, and abilities."""

    @abstractmethod
    def version(self, machine: MachineFile, image: str | None) -> str:
        """A digest of the program and of the module that drives it, or `absent`."""

    @abstractmethod
    def why_absent(self, machine: MachineFile) -> str:
        """The reason for which points are skipped, and what to do."""

    @abstractmethod
    def answering(self, job: ShardJob) -> Answering:
        """What gives the journal line of a point.

        Raises EngineError when nothing can run.
        """

    def run(self, job: ShardJob) -> None:
        """Simulate the points that the journal does not hold, `threads` at a time.

        Raises EngineError when the program is not the one that the shard was planned for.
        """
        mend(job.journal)
        known = finished(job.journal)
        points = [point for point in job.shard["points"] if point["digest"] not in known]
        if job.shard["engine_version"] == ABSENT:
            # As planned, even if a program has come since: the next plan asks again.
            self._skip(job, points)
            return
        self._check_version(job)
        answer = self.answering(job)
        with ThreadPoolExecutor(max_workers=max(1, job.threads)) as pool:
            lines = [pool.submit(answer, point) for point in points]
            try:
                for each in as_completed(lines):
                    _finish(job, each.result())
            finally:
                for each in lines:
                    each.cancel()

    def _check_version(self, job: ShardJob) -> None:
        image = job.image.name if job.image else None
        here, planned = self.version(job.machine, image), job.shard["engine_version"]
        if here != planned:
            raise EngineError(
                f"{self.name} here has version {here}, the plan was made for {planned}: "
                "run the same command again, or make all machines have the same"
            )

    def _skip(self, job: ShardJob, points: Sequence[ResolvedPoint]) -> None:
        reason = self.why_absent(job.machine)
        for point in points:
            append(job.journal, skipped(point, reason))
        if points:
            text = f"{len(points)} points skipped: {reason}"
            print(f"{text} ({job.directory})", file=sys.stderr, flush=True)
            with job.log.open("a") as file:
                file.write(text + "\n")


def _finish(job: ShardJob, line: JournalLine) -> None:
    append(job.journal, line)
    ending = f"failed: {line['error']}" if line["error"] else "done"
    with job.log.open("a") as file:
        file.write(f"{time.strftime('%H:%M:%S')} {line['point_id']} {ending}\n")
        if line["log"]:
            file.write(line["log"] + "\n")
