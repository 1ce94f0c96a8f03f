"""Points whose programs a project's own Makefile builds: simulators get the programs built."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from weft.engines.base import ShardJob
from weft.engines.failed_builds import NotBuiltError, run_of
from weft.engines.hardware.errors import MeasurementError
from weft.engines.hardware.source import program_of
from weft.engines.journal import append, finished, unanswered
from weft.engines.native import compiling_simulator
from weft.engines.order import ResolvedPoint

if TYPE_CHECKING:
    from weft.plan.spec import BuildSpec, WorkloadSpec

_IN_IMAGES = (
    "workload.program.build runs commands in a sandbox, and an image cannot run in one: run "
    "without --sdm apptainer"
)


@dataclass(frozen=True, slots=True)
class BuiltPrograms:
    """A job with the executables of its programs, and why points without one have failed."""

    job: ShardJob
    reasons: Sequence[str] = ()

    def report(self) -> None:
        """Show the first reason on the terminal of a run, which does not show the journal."""
        if self.reasons:
            count = len(self.reasons)
            noun = "point" if count == 1 else "points"
            text = f"{self.job.directory}: {count} {noun} failed: {self.reasons[0]}"
            print(text, file=sys.stderr)


def with_built_programs(job: ShardJob) -> BuiltPrograms:
    """Build the programs of the job; points whose programs are not built have failed.

    Raises EngineError where the simulator is missing that compiles.
    """
    if not any("make" in (_build_of(point) or {}) for point in job.shard["points"]):
        return BuiltPrograms(job)
    known = finished(job.journal)
    points: list[ResolvedPoint] = []
    reasons: list[str] = []
    for point in job.shard["points"]:
        build = _build_of(point)
        if point["digest"] in known or build is None or "make" not in build:
            points.append(point)
            continue
        try:
            points.append(_with_executable(job, point, build))
        except (NotBuiltError, MeasurementError) as error:
            reasons.append(str(error))
            append(job.journal, {**unanswered(point, str(error)), "log": error.log})
            with job.log.open("a") as log:
                log.write(f"point {point['point_id']}: {error}\n{error.log}\n")
    return BuiltPrograms(replace(job, shard={**job.shard, "points": points}), reasons)


def _build_of(point: ResolvedPoint) -> BuildSpec | None:
    return point["workload"].get("build")


def _with_executable(job: ShardJob, point: ResolvedPoint, build: BuildSpec) -> ResolvedPoint:
    from weft.engines.own_build import CACHE, Compilers, built

    if job.image:
        raise NotBuiltError(_IN_IMAGES)
    program = program_of(point, Path.cwd())
    made = built(
        build, program.files, Compilers(compiling_simulator()), CACHE, run_of(job.directory)
    )
    digest = sha256(made.read_bytes()).hexdigest()
    ready: BuildSpec = {**build, "files": [], "executable": [str(made), digest]}
    workload: WorkloadSpec = {**point["workload"], "build": ready}
    return {**point, "workload": workload}
