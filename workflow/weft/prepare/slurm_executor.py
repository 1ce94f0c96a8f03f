"""Corrections of Snakemake's Slurm executor 2.8.0, without which jobs are lost and runs hang.

The executor is given as a module, and its functions are replaced by their names there. Each has a
test in `tests/cluster` that fails without it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def correct(executor: Any) -> None:
    """Correct the module `executor` in place; a second time changes nothing."""
    if getattr(executor, "corrected_by_weft", False):
        return
    executor.pending_jobs_for_rule = _no_job_to_wait_for
    executor.get_min_job_age = _remembered(executor.get_min_job_age)
    executor.query_job_status_sacct = _with_task_numbers(executor.query_job_status_sacct)
    executor.corrected_by_weft = True


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
