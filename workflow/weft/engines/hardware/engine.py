"""Engine `hardware`: measures points on a real machine with the runners in `hardware/`."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from weft.engines.base import EngineError, ShardJob
from weft.engines.hardware.allocation import drawn, nodes_of, step_facts
from weft.engines.hardware.idle_nodes import IdleNodes
from weft.engines.hardware.measure import Measuring, PointOutcome
from weft.engines.hardware.program import PROGRAM_TIME, REPORTED
from weft.engines.hardware.repeats import repeats_in_turn
from weft.engines.hardware.samples import metric_rows
from weft.engines.hardware.source import shipped
from weft.engines.hardware.tracing import IMBALANCE
from weft.engines.hardware.version import measurement_version
from weft.engines.journal import JournalLine, append, finished, mend, now
from weft.engines.order import ResolvedPoint
from weft.files import need_space
from weft.files.layout import CLONE
from weft.machine import MachineFile

SOURCES = CLONE / "hardware"


class HardwareEngine:
    """Launches the C programs with the machine's launcher, one point after another."""

    name = "hardware"
    kind: Literal["simulator", "hardware"] = "hardware"
    image: str | None = "hardware"

    def __init__(
        self, sources: Path = SOURCES, side_tables: tuple[str, ...] = ("samples",)
    ) -> None:
        self._sources, self.side_tables = sources, side_tables

    def describe(self) -> Mapping[str, object]:
        """Name, version with this environment's MPI, and abilities.

        Raises EngineError when the C sources are missing.
        """
        return {
            "name": self.name,
            "version": self.version(MachineFile(), None),
            "models": [],
            "topologies": [],
            "routing": [],
            "patterns": [],
            "workloads": ["program"],
            "programs": shipped(self._sources.parent),
            "metrics": [
                PROGRAM_TIME,
                IMBALANCE,
                *(m for metrics in REPORTED.values() for m in metrics),
            ],
        }

    def version(self, machine: MachineFile, image: str | None) -> str:
        """Changes with the runners, the machine, its MPI and how it launches.

        A program is a part of the point, not of the version.

        Raises EngineError when the C sources or the image that the machine's mode needs are
        missing.
        """
        if not (self._sources / "mgen_runner.c").is_file():
            raise EngineError(f"{self._sources} does not hold the runners of weft's programs")
        return measurement_version(self._sources, machine, image)

    def run(self, job: ShardJob) -> None:
        """Measure the points that the journal does not hold, noting each as soon as it ends.

        Raises EngineError when nothing can be measured here as the machine file wants it.
        """
        job.directory.mkdir(parents=True, exist_ok=True)
        mend(job.journal)
        known = finished(job.journal)
        measuring = Measuring(job, self._sources)
        failures = []
        points, seed = job.shard["points"], job.shard.get("order_seed")
        ordered = repeats_in_turn(points) if seed is None else drawn(points, seed)
        with IdleNodes(job, 0 if seed is None else nodes_of(points, job.machine)) as idle:
            for step, point in enumerate(ordered, 1):
                if point["digest"] in known:
                    continue
                simulating = idle.make_room(job.machine.nodes_of(int(point["workload"]["ranks"])))
                started_at = now()
                outcome = measuring.measure(point)
                if seed is not None:
                    facts = step_facts(step, points, job.machine, simulating)
                    outcome.environment["allocation"] = facts
                if outcome.measurement:
                    outcome.measurement.write_samples(
                        job.directory / f"samples-{point['point_id']}.csv"
                    )
                if outcome.error:
                    need_space(job.directory)
                append(job.journal, _journal_line(point, started_at, outcome))
                _report(job.log, point, outcome)
                if outcome.error:
                    failures.append(f"{point['point_id']}: {outcome.error}")
        if failures:
            _warn(job, failures)


def _journal_line(point: ResolvedPoint, started_at: str, outcome: PointOutcome) -> JournalLine:
    line: JournalLine = {
        "point_id": point["point_id"],
        "digest": point["digest"],
        "status": "failed" if outcome.error else "done",
        "error": outcome.error,
        "log": outcome.log,
        "started_at": started_at,
        "wall_s": outcome.usage.wall_s,
        "cpu_s": outcome.usage.cpu_s,
        "peak_rss_bytes": outcome.usage.peak_rss_bytes,
        "metrics": [*metric_rows(outcome.values), *outcome.recorded],
        "environment": outcome.environment,
    }
    if outcome.flag:
        line["flag"] = outcome.flag
    return line


def _report(log: Path, point: ResolvedPoint, outcome: PointOutcome) -> None:
    log.parent.mkdir(parents=True, exist_ok=True)
    ending = f"failed: {outcome.error}" if outcome.error else "done"
    if outcome.flag:
        ending += f", flagged: {outcome.flag}"
    with log.open("a") as file:
        file.write(f"{time.strftime('%H:%M:%S')} {point['point_id']} {ending}\n")
        if problem := outcome.environment.get("binding_problem"):
            file.write(f"binding: {problem}\n")
        if outcome.log:
            file.write(outcome.log + "\n")


def _warn(job: ShardJob, failures: Sequence[str]) -> None:
    """Report failed points on the terminal: they fail no job, so nothing else reports them."""
    text = (
        f"{len(failures)} of {len(job.shard['points'])} points of {job.directory} failed, the "
        f"first is {failures[0]}"
    )
    print(f"{text} (log: {job.log})", file=sys.stderr, flush=True)
    with job.log.open("a") as file:
        file.write(text + "\n")
