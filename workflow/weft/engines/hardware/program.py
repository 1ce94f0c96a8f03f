"""The measuring programs: what they measure, their arguments, their output read back."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from weft.engines.hardware.errors import MeasurementError
from weft.engines.hardware.samples import Measurement, read_measurement

#: What each program measures at every message size.
PROGRAMS = {
    "pingpong": ("one_way_time_s", "exchange_time_s", "put_time_s"),
    "alltoall": ("collective_time_s", "pairwise_time_s"),
}
#: Open MPI 4 over TCP, for one, has nothing to measure these with.
ONE_SIDED = {"put_time_s"}
#: Option of the engine -> option of the programs, and its default.
OPTIONS = {
    "repetitions": ("--repetitions", 500),
    "min_repetitions": ("--min-repetitions", 10),
    "warmup": ("--warmup", 20),
    "budget_s": ("--budget", 1.0),
}


def program_of(point: Mapping[str, Any]) -> str:
    """The program that answers the point.

    Raises MeasurementError when there is none.
    """
    program = point["workload"].get("program")
    if program not in PROGRAMS:
        known = ", ".join(sorted(PROGRAMS))
        raise MeasurementError(f"no program '{program}' to measure with; known are {known}")
    return str(program)


def program_arguments(point: Mapping[str, Any], output: Path, timeout_s: float) -> list[str]:
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


def collect(program: str, output: Path) -> Measurement:
    """Read and remove the program's output.

    Raises MeasurementError when it is missing, incomplete or lacks a metric.
    """
    try:
        measurement = read_measurement(output)
    except (OSError, ValueError) as error:
        raise MeasurementError(f"{program} left no usable output: {error}") from error
    wanted = set(PROGRAMS[program])
    if measurement.header.get("one_sided") == "unavailable":
        wanted -= ONE_SIDED
    missing = wanted - {metric for metric, _ in measurement.samples}
    if missing:
        raise MeasurementError(f"{program} did not measure {', '.join(sorted(missing))}")
    output.unlink()
    return measurement
