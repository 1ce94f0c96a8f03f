"""The arguments of measuring programs, and their output read back."""

from __future__ import annotations

import math
import random
from collections.abc import Collection
from pathlib import Path

from weft.engines.hardware.errors import MeasurementError, OtherThreadsError
from weft.engines.hardware.samples import THREADS_ASKED, Measurement, read_measurement
from weft.engines.hardware.source import ProgramSource
from weft.engines.order import ResolvedPoint
from weft.plan.spec import WorkloadSpec

#: What every program measures.
PROGRAM_TIME = "program_time_s"
#: What programs of weft report beside that, at every size.
REPORTED = {
    "pingpong": (
        "one_way_time_s",
        "exchange_time_s",
        "gap_time_s",
        "duplex_time_s",
        "sent_time_s",
        "copy_time_s",
        "put_time_s",
    ),
    "alltoall": ("collective_time_s", "pairwise_time_s"),
    "halo_exchange": ("iteration_time_s",),
}
#: Option of the engine -> option of the runners, and its default.
OPTIONS = {
    "repetitions": ("--repetitions", 500),
    "min_repetitions": ("--min-repetitions", 10),
    "warmup": ("--warmup", 20),
    "rounds": ("--rounds", 5),
    "budget_s": ("--budget", 1.0),
}
#: The option that adds sizes to those of the workload.
LOCATE_JUMPS = "locate_jumps"
#: How many times the time and the fewest repetitions a size gets that is measured again.
INSISTENCE = 2
#: The level of `MPI_Init_thread` with which the calls of a rank have no order.
SEVERAL_AT_ONCE = "multiple"
_ALGORITHM = "_algorithm"
_INPUT = "{input}"


def program_arguments(
    point: ResolvedPoint, program: ProgramSource, output: Path, timeout_s: float, project: Path
) -> list[str]:
    """The runner's options, the sizes, and the program's own arguments.

    The sizes come in an order drawn from the seed, so that a drift of the machine does not look
    like an effect of the size. The runner's own deadline ends it if the launcher cannot.
    """
    options, workload = point.get("options", {}), point["workload"]
    words = ["--output", str(output), "--deadline", str(math.ceil(timeout_s) + 5)]
    for name, (flag, default) in OPTIONS.items():
        words += [flag, str(options.get(name, default))]
    for name, value in sorted(options.items()):
        if name.endswith(_ALGORITHM):
            words += ["--algorithm", f"{name.removesuffix(_ALGORITHM)}={value}"]
    if program.is_one_sided:
        words.append("--one-sided")
    if options.get(LOCATE_JUMPS):
        words.append("--locate-jumps")
    sizes = list(workload.get("message_bytes") or ())
    random.Random(point.get("seed", 0)).shuffle(sizes)
    if sizes:
        words += ["--sizes", ",".join(str(int(size)) for size in sizes)]
    own = _own_arguments(workload, project)
    return [*words, "--", *own] if own else words


def thread_arguments(level: object) -> list[str]:
    """The runner's option for a `level` of `MPI_Init_thread`; None is for the runner's own."""
    return [] if level is None else ["--threads", str(level)]


def insisting(point: ResolvedPoint, sizes: Collection[int | None]) -> ResolvedPoint:
    """The point with those of its sizes only, and more repetitions and time for each."""
    kept = sorted(size for size in sizes if size is not None)
    options = {**point.get("options", {}), LOCATE_JUMPS: False}
    for name in ("budget_s", "min_repetitions"):
        options[name] = INSISTENCE * options.get(name, OPTIONS[name][1])
    workload: WorkloadSpec = {**point["workload"], "message_bytes": kept or None}
    return {**point, "workload": workload, "options": options}


def once(point: ResolvedPoint) -> ResolvedPoint:
    """The point with one repetition, after one that is not kept."""
    single = dict.fromkeys(("repetitions", "min_repetitions", "warmup", "rounds"), 1)
    options = {**point.get("options", {}), **single, "budget_s": 0.0, LOCATE_JUMPS: False}
    return {**point, "options": options}


def _own_arguments(workload: WorkloadSpec, project: Path) -> list[str]:
    """The program's own, with the path of the input; the runner puts the sizes in."""
    named_file = workload.get("input")
    path = ""
    if named_file:
        found = next((p for p in (project / named_file, Path(named_file)) if p.is_file()), None)
        if found is None:
            raise MeasurementError(f"there is no file {named_file} (workload.input)")
        path = str(found.resolve())
    return [str(text).replace(_INPUT, path) for text in workload.get("arguments") or ()]


def collect(program: str, output: Path) -> Measurement:
    """Read and remove the program's output.

    Raises MeasurementError when it is missing, incomplete or lacks the time of the program, and
    OtherThreadsError when the program asks for another level of threads than it was launched with.
    """
    try:
        measurement = read_measurement(output)
    except (OSError, ValueError) as error:
        raise MeasurementError(f"{program} left no usable output: {error}") from error
    if asked := measurement.header.get(THREADS_ASKED):
        raise OtherThreadsError(asked)
    if PROGRAM_TIME not in {metric for metric, _ in measurement.samples}:
        raise MeasurementError(f"{program} did not measure {PROGRAM_TIME}")
    output.unlink()
    return measurement
