"""Engine `hardware`: measures points on the machine at hand with the programs in `hardware/`."""

from __future__ import annotations

import math
import os
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from weft.engines.base import EngineError, ShardJob
from weft.engines.hardware_build import (
    MeasurementError,
    build_program,
    find_mpi,
    measurement_version,
)
from weft.engines.hardware_launch import Usage, launch
from weft.engines.hardware_samples import Measurement, read_measurement
from weft.engines.journal import append, drop_torn_line, finished

SOURCES = Path(__file__).parents[3] / "hardware"
#: What each program measures at every message size.
PROGRAMS = {
    "pingpong": ("one_way_time_s", "exchange_time_s", "put_time_s"),
    "alltoall": ("collective_time_s", "pairwise_time_s"),
}
DEFAULT_TIMEOUT_S = 120.0
#: Option of the engine -> option of the programs, and its default.
OPTIONS = {
    "repetitions": ("--repetitions", 500),
    "min_repetitions": ("--min-repetitions", 10),
    "warmup": ("--warmup", 20),
    "budget_s": ("--budget", 1.0),
}


@dataclass(frozen=True, slots=True)
class _Launch:
    """One program's command line, and how long it may take."""

    program: str
    command: list[str]
    timeout_s: float
    output: Path


@dataclass(slots=True)
class _Outcome:
    """What became of one point."""

    usage: Usage = field(default_factory=lambda: Usage(0.0, 0.0, 0))
    measurement: Measurement | None = None
    environment: dict[str, Any] = field(default_factory=dict)
    error: str | None = None
    log: str | None = None


class HardwareEngine:
    """Builds the C programs and launches them with `mpiexec`, one point after another."""

    name = "hardware"
    kind: Literal["simulator", "hardware"] = "hardware"
    side_tables = ("samples",)

    def __init__(self, sources: Path = SOURCES) -> None:
        self._sources = sources

    def describe(self) -> Mapping[str, Any]:
        """Name, version and abilities. Raises EngineError when the C sources are missing."""
        if not (self._sources / "pingpong.c").is_file():
            raise EngineError(f"{self._sources} does not hold the measuring programs of weft")
        return {
            "name": self.name,
            "version": measurement_version(self._sources),
            "models": [],
            "topologies": [],
            "routing": [],
            "patterns": [],
            "workloads": ["program"],
            "programs": sorted(PROGRAMS),
            "metrics": [metric for metrics in PROGRAMS.values() for metric in metrics],
        }

    def version(self, machine: Mapping[str, Any], image: str | None) -> str:
        """The version of the sources and of the default MPI."""
        return str(self.describe()["version"])

    def run(self, job: ShardJob) -> None:
        """Measure the points that the journal does not hold, noting each as soon as it ends."""
        job.directory.mkdir(parents=True, exist_ok=True)
        drop_torn_line(job.journal)
        known = finished(job.journal)
        for point in job.shard["points"]:
            if point["digest"] in known:
                continue
            started_at = datetime.now(UTC).isoformat(timespec="milliseconds")
            outcome = self._measure(point, job)
            if outcome.measurement:
                outcome.measurement.write_samples(
                    job.directory / f"samples-{point['point_id']}.csv"
                )
            append(job.journal, _journal_line(point, started_at, outcome))
            _report(job.log, point, outcome)

    def _measure(self, point: Mapping[str, Any], job: ShardJob) -> _Outcome:
        outcome = _Outcome()
        try:
            launch_ = self._prepare(point, job)
            outcome.environment = _launch_environment(point, launch_)
            log = job.directory / f"output-{point['point_id']}.log"
            outcome.usage = launch(launch_.command, launch_.program, launch_.timeout_s, log)
            log.unlink()
            outcome.measurement = _collect(launch_)
            outcome.environment |= outcome.measurement.environment()
        except MeasurementError as error:
            outcome.error, outcome.log = str(error), error.log
        return outcome

    def _prepare(self, point: Mapping[str, Any], job: ShardJob) -> _Launch:
        """Build the point's program and compose its command line.

        Raises MeasurementError when the point or the machine does not allow that.
        """
        workload = point["workload"]
        program = workload.get("program")
        if program not in PROGRAMS:
            known = ", ".join(sorted(PROGRAMS))
            raise MeasurementError(f"no program '{program}' to measure with; known are {known}")
        mpi = find_mpi(job.machine)
        executable = build_program(program, self._sources, mpi.mpicc)
        timeout_s = float(job.machine.get("timeout_s", DEFAULT_TIMEOUT_S))
        output = (job.directory / f"{program}-{point['point_id']}.csv").resolve()
        output.unlink(missing_ok=True)
        command = [
            str(mpi.mpiexec),
            "-n",
            str(int(workload["ranks"])),
            *_launcher_arguments(int(workload["ranks"]), job.machine),
            str(executable),
            *_program_arguments(point, output, timeout_s),
        ]
        return _Launch(program, command, timeout_s, output)


def _launcher_arguments(ranks: int, machine: Mapping[str, Any]) -> list[str]:
    """Binding and the machine file's own arguments.

    Ranks that outnumber the processors are not bound. Raises MeasurementError when the machine
    file does not allow so many.
    """
    crowded = ranks > len(os.sched_getaffinity(0))
    if crowded and not machine.get("oversubscribe", True):
        raise MeasurementError(f"{ranks} ranks need as many processors (machine: oversubscribe)")
    bind = str(machine.get("bind", "none"))
    binding = [] if crowded or bind == "none" else ["--bind-to", bind]
    return binding + [str(argument) for argument in machine.get("launcher_arguments", ())]


def _program_arguments(point: Mapping[str, Any], output: Path, timeout_s: float) -> list[str]:
    """Options and sizes for a measuring program.

    The sizes come in an order drawn from the seed, so that a drift of the machine does not look
    like an effect of the size. The program's own deadline ends it if nobody watches any more.
    """
    options = point.get("options", {})
    arguments = ["--output", str(output), "--deadline", str(math.ceil(timeout_s) + 5)]
    for name, (flag, default) in OPTIONS.items():
        arguments += [flag, str(options.get(name, default))]
    sizes = list(point["workload"]["message_bytes"])
    random.Random(point.get("seed", 0)).shuffle(sizes)
    return arguments + [str(int(size)) for size in sizes]


def _launch_environment(point: Mapping[str, Any], launch_: _Launch) -> dict[str, Any]:
    processors = len(os.sched_getaffinity(0))
    ranks = int(point["workload"]["ranks"])
    return {
        "launcher": launch_.command[0],
        "command": " ".join([Path(launch_.command[0]).name, *launch_.command[1:]]),
        "processors": processors,
        "oversubscribed": ranks > processors,
        "load_average": round(os.getloadavg()[0], 2),
    }


def _collect(launch_: _Launch) -> Measurement:
    """Read and remove the program's output.

    Raises MeasurementError when it is missing, incomplete or lacks a metric.
    """
    try:
        measurement = read_measurement(launch_.output)
    except (OSError, ValueError) as error:
        raise MeasurementError(f"{launch_.program} left no usable output: {error}") from error
    missing = set(PROGRAMS[launch_.program]) - {metric for metric, _ in measurement.samples}
    if missing:
        raise MeasurementError(f"{launch_.program} did not measure {', '.join(sorted(missing))}")
    launch_.output.unlink()
    return measurement


def _journal_line(
    point: Mapping[str, Any], started_at: str, outcome: _Outcome
) -> dict[str, object]:
    return {
        "point_id": point["point_id"],
        "digest": point["digest"],
        "status": "failed" if outcome.error else "done",
        "error": outcome.error,
        "log": outcome.log,
        "started_at": started_at,
        "wall_s": outcome.usage.wall_s,
        "cpu_s": outcome.usage.cpu_s,
        "peak_rss_bytes": outcome.usage.peak_rss_bytes,
        "metrics": outcome.measurement.metrics() if outcome.measurement else [],
        "environment": outcome.environment,
    }


def _report(log: Path, point: Mapping[str, Any], outcome: _Outcome) -> None:
    log.parent.mkdir(parents=True, exist_ok=True)
    ending = f"failed: {outcome.error}" if outcome.error else "done"
    with log.open("a") as file:
        file.write(f"{time.strftime('%H:%M:%S')} {point['point_id']} {ending}\n")
        if outcome.log:
            file.write(outcome.log + "\n")
