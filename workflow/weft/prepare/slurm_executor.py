"""Corrections of Snakemake's Slurm executor 2.8.0, without which jobs are lost and runs hang.

The executor is given as a module, and its functions are replaced by their names there.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from weft.engines.jobs import note_lost

TASKS = "--slurm-jobstep-array-execs="
#: The log of a shard's job, in the shard's folder.
RUN_LOG = "run.log"
#: Resources that sbatch is not told of.
LOCAL = ("tmpdir", "disk", "disk_mb", "disk_mib")


def correct(executor: Any) -> None:
    """Correct the module `executor` in place; a second time changes nothing."""
    if getattr(executor, "corrected_by_weft", False):
        return
    executor.pending_jobs_for_rule = _no_job_to_wait_for
    executor.get_min_job_age = _remembered(executor.get_min_job_age)
    executor.query_job_status_sacct = _with_task_numbers(executor.query_job_status_sacct)
    arrays = _of_equal_requests(executor.Executor._submit_array_jobs)
    executor.Executor._submit_array_jobs = arrays
    executor.Executor.report_job_error = _noting_lost(executor.Executor.report_job_error)
    executor.corrected_by_weft = True


def command_of_task(arguments: Sequence[str], environment: Mapping[str, str]) -> str | None:
    """What a task of an array is to run instead of this process; None if it goes on as it is.

    Every task starts as Snakemake for the array's first shard, and runs its own shard inside of
    that. The outer Snakemake then judges the task by the outputs of the first shard.
    """
    tasks = next((word for word in arguments if word.startswith(TASKS)), None)
    if tasks is None:
        return None
    commands = json.loads(base64.b64decode(tasks.removeprefix(TASKS)))
    command = commands.get(environment.get("SLURM_ARRAY_TASK_ID", ""))
    return None if command is None else zlib.decompress(bytes.fromhex(command)).decode()


def _no_job_to_wait_for(dag: Any, rule_name: str) -> int:
    """How many further jobs an array shall wait for.

    The executor puts ready jobs aside until enough others are ready, and never takes them up
    again: with fewer `jobs` than shards the run hangs.
    """
    return 0


def _remembered(ask: Callable[[], int | None]) -> Callable[[], int | None]:
    """The controller's last answer while it gives none.

    The executor takes silence for a cluster that forgets jobs at once, and asks `sacct`. Where
    there is no accounting, every such query fails, all jobs are dropped and the run hangs.
    """
    last: int | None = None

    def answer() -> int | None:
        nonlocal last
        age = ask()
        last = last if age is None else age
        return last

    return answer


def _with_task_numbers(command: Callable[[str], str]) -> Callable[[str], str]:
    """`sacct` that names the tasks of an array.

    The executor asks for raw numbers, in which a whole array has the state of its last task.
    """

    def corrected(run: str) -> str:
        return command(run).replace("JobIdRaw", "JobId")

    return corrected


def _noting_lost(report: Callable[..., None]) -> Callable[..., None]:
    """Failed jobs of shards, with a line in the shard's history where they could write none."""

    def corrected(self: Any, job_info: Any, *arguments: Any, **named: Any) -> None:
        logs = [Path(log) for log in getattr(job_info.job, "log", ())]
        if job_info.external_jobid and logs and logs[0].name == RUN_LOG:
            # A history is a comfort: without it the run goes on as well.
            with suppress(OSError):
                note_lost(logs[0].parent, str(job_info.external_jobid))
        report(self, job_info, *arguments, **named)

    return corrected


def _of_equal_requests(submit: Callable[[Any, list[Any]], None]) -> Callable[..., None]:
    """An array for each set of jobs that ask for the same.

    The executor gives a whole array what its first job asks for. A job that comes back with more
    memory would get as little as before, or all others as much.
    """

    def corrected(self: Any, jobs: Sequence[Any]) -> None:
        alike: dict[tuple[tuple[str, str], ...], list[Any]] = {}
        for job in jobs:
            asked = {name: str(value) for name, value in job.resources.items()}
            request = sorted((name, asked[name]) for name in asked if name not in LOCAL)
            alike.setdefault(tuple(request), []).append(job)
        for each in alike.values():
            submit(self, each)

    return corrected
