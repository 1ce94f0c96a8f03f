"""Simulators in a sandbox, where the surroundings demand it: programs may be those of strangers.

A service's worker sets `WEFT_SANDBOX`. It reaches the jobs of a run however they are started, those
of a batch system among them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from weft.confine import Limits, Sandbox, SandboxEnd, run, sweep
from weft.confine.sandbox import PROGRAM, TEMPORARY
from weft.engines.base import SIDE_TABLES, EngineError, ShardJob
from weft.engines.journal import JournalLine, append, mend, read_journal, unanswered
from weft.engines.order import ResolvedPoint
from weft.files import replace_text
from weft.files.layout import JOURNAL, ShardFolder
from weft.plan.spec import WorkloadSpec

#: `required` demands a sandbox; empty demands none.
VARIABLE = "WEFT_SANDBOX"
#: Bytes that all processes of a job may use together, and that it may leave on the disk; seconds.
MEMORY, OUTPUT = "WEFT_SANDBOX_MEMORY_BYTES", "WEFT_SANDBOX_OUTPUT_BYTES"
WALL = "WEFT_SANDBOX_WALL_S"
_DEFAULTS = {MEMORY: 4 << 30, OUTPUT: 2 << 30, WALL: 24 * 3600}
#: Of the simulator and its compiler, beside the threads that it was given.
_TASKS = 64
#: The order of one point, while it runs alone.
_ALONE = "alone.json"
#: What simulators leave beside the journal and its lock.
_OUTPUTS = (
    JOURNAL,
    ".lock",
    "history-*.json",
    "compute-*.times",
    *(f"{table}-*.csv" for table in SIDE_TABLES),
)


def is_demanded() -> bool:
    """Whether simulators must run in a sandbox.

    Raises EngineError for a value that means nothing.
    """
    value = os.environ.get(VARIABLE, "")
    if value not in ("", "required"):
        raise EngineError(f"{VARIABLE} is {value}; use required, or unset it")
    return value == "required"


def named_files(point: ResolvedPoint) -> list[str]:
    """Files of a user that a point names, from the project."""
    workload = point["workload"]
    files = _of_workload(workload)
    files += (point["options"].get(name) for name in ("rank_file", "compute_times"))
    for job in workload.get("jobs", ()):
        files += _of_workload(job)
    return list(dict.fromkeys(str(file) for file in files if file))


def _of_workload(workload: WorkloadSpec) -> list[str | None]:
    named = [workload.get("file"), workload.get("source"), workload.get("input")]
    if build := workload.get("build"):
        # Imported on first use: it brings Pydantic, which jobs need not load.
        from weft.config.model.program_files import build_files

        named += build_files(build)
    return named


def run_in_sandbox(job: ShardJob, command: Sequence[str]) -> int:
    """Run a simulator on the job's shard; it sees the files that its points name, and no others.

    Where a limit ends it, points that have no answer run again, each alone in a sandbox: only those
    that reach a limit then have failed. Returns the simulator's exit code. Raises EngineError where
    the sandbox is missing.
    """
    ended = _in_sandbox(job, command)
    if not ended.limit:
        return ended.code
    mend(job.journal)
    answered = {line["digest"] for line in read_journal(job.journal)}
    left = [point for point in job.shard["points"] if point["digest"] not in answered]
    if len(left) == 1:
        append(job.journal, _ended(left[0], ended.limit))
        return 0
    return _each_alone(job, command, left)


def _each_alone(job: ShardJob, command: Sequence[str], left: Sequence[ResolvedPoint]) -> int:
    order = json.loads(job.shard_file.read_text())
    given = {point["digest"]: point for point in order["points"]}
    with job.log.open("a") as log:
        log.write(f"{len(left)} points have no answer: each runs alone\n")
    file = job.directory / _ALONE
    alone = [str(file) if word == str(job.shard_file) else word for word in command]
    try:
        for point in left:
            replace_text(file, json.dumps({**order, "points": [given[point["digest"]]]}))
            ended = _in_sandbox(job, alone)
            if ended.limit:
                mend(job.journal)
                append(job.journal, _ended(point, ended.limit))
            elif ended.code:
                return ended.code
    finally:
        file.unlink(missing_ok=True)
    return 0


def _ended(point: ResolvedPoint, limit: str) -> JournalLine:
    """The line of a point whose sandbox reached a limit."""
    return unanswered(point, f"the sandbox was ended: {limit}")


def _in_sandbox(job: ShardJob, command: Sequence[str]) -> SandboxEnd:
    if job.image:
        raise EngineError(f"{VARIABLE} is required: an image cannot run in a sandbox")
    limits = Limits(
        wall_s=_limit(WALL),
        processor_s=_limit(WALL) * max(1, job.threads),
        memory_bytes=_limit(MEMORY),
        file_bytes=_limit(OUTPUT),
        tasks=_TASKS + 2 * job.threads,
    )
    sandbox = Sandbox(
        work=job.directory.absolute(),
        readable=[Path(command[0]), *_readable(job)],
        variables={"WEFT_CONFINEMENT": "required", "WEFT_PROGRAM_CACHE": f"{TEMPORARY}/programs"},
        limits=limits,
        begins=Path.cwd(),
    )
    with job.log.open("ab", buffering=0) as log:
        log.write(b"the simulator runs in a sandbox of bubblewrap\n")
        before = {path.name for path in job.directory.iterdir()}
        try:
            ended = run(sandbox, command, log.write)
        except FileNotFoundError as error:
            raise EngineError(f"{VARIABLE} is required: {PROGRAM} is not installed") from error
        finally:
            _sweep(job, before)
        if ended.limit:
            log.write(f"the sandbox was ended: {ended.limit}\n".encode())
    return ended


def _readable(job: ShardJob) -> Iterator[Path]:
    """Files that the points name, under the names that they have there."""
    work = job.directory.absolute()
    paths = {Path.cwd() / file for point in job.shard["points"] for file in named_files(point)}
    yield from sorted(path for path in paths if not path.is_relative_to(work))


def _sweep(job: ShardJob, before: set[str]) -> None:
    """Nothing but the outputs of a simulator stays, up to the limit; a list says what went."""
    left_out = sweep(job.directory, (*before, *_OUTPUTS), _OUTPUTS[2:], _limit(OUTPUT))
    if left_out:
        lines = "".join(f"{name}: {reason}\n" for name, reason in left_out.items())
        with ShardFolder(job.directory).left_out.open("a") as file:
            file.write(lines)
        with job.log.open("a") as log:
            log.write(f"left out:\n{lines}")


def _limit(variable: str) -> int:
    given = os.environ.get(variable, str(_DEFAULTS[variable]))
    if not given.isdecimal():
        raise EngineError(f"{variable} is {given}; give a whole number")
    return int(given)
