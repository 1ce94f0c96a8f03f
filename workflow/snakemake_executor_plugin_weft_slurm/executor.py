"""The executor: what it asks Slurm, and what it reports to Snakemake."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import snakemake_executor_plugin_slurm as slurm
from snakemake_interface_executor_plugins.executors.base import SubmittedJobInfo
from weft.engines.jobs import note_lost, outcome_of
from weft.scheduler.slurm import JobState, ask_accounting, ask_queue

from snakemake_executor_plugin_weft_slurm.silence import Silence
from snakemake_executor_plugin_weft_slurm.verdicts import Verdict, Verdicts
from snakemake_executor_plugin_weft_slurm.waiting import Waiting

#: The log of a shard's job, in the shard's folder.
RUN_LOG = "run.log"
#: Each check that sees no end makes the next one so much later.
LATER_S = 10


class Executor(slurm.Executor):  # type: ignore[misc]
    """The Slurm executor with its own status check."""

    def __post_init__(self, test_mode: bool = False) -> None:
        """Prepare what lasts as long as the run."""
        super().__post_init__(test_mode)
        settings = self.workflow.executor_settings
        self._silence = Silence(settings.silence_seconds)
        self._verdicts, self._waiting = Verdicts(), Waiting()

    async def check_active_jobs(
        self, active_jobs: list[SubmittedJobInfo]
    ) -> AsyncIterator[SubmittedJobInfo]:
        """Report jobs that have ended; yield the others."""
        soonest = self.workflow.executor_settings.init_seconds_before_status_checks
        if not active_jobs:
            self.next_seconds_between_status_checks = soonest
            return
        async with self.status_rate_limiter:
            states = await asyncio.to_thread(self._ask, active_jobs)
        ended = False
        for job in active_jobs:
            verdict = self._verdicts.of(job.external_jobid, states, _outcome(job))
            if verdict.open:
                yield job
            else:
                ended = True
                self._report(job, verdict)
        most = max(soonest, self.workflow.executor_settings.most_seconds_between_status_checks)
        later = min(self.next_seconds_between_status_checks + LATER_S, most)
        self.next_seconds_between_status_checks = soonest if ended else later

    def report_job_error(self, job_info: SubmittedJobInfo, *arguments: Any, **named: Any) -> None:
        """As always, with a line in the shard's history where its job could write none."""
        folder = _folder(job_info)
        if job_info.external_jobid and folder:
            # The history is optional: the run goes on without it.
            with suppress(OSError):
                note_lost(folder, str(job_info.external_jobid))
        super().report_job_error(job_info, *arguments, **named)

    def get_account_arg(self, job: Any) -> Iterator[str]:
        """Without an account Slurm takes the user's default one; nothing guesses."""
        if job.resources.get("slurm_account"):
            yield from super().get_account_arg(job)
        else:
            yield ""

    def _ask(self, jobs: Sequence[SubmittedJobInfo]) -> dict[str, JobState] | None:
        """States by job, as far as they are known; None while Slurm does not answer."""
        found = ask_queue(self.run_uuid)
        missing = [job.external_jobid for job in jobs if job.external_jobid not in (found or {})]
        accounted = ask_accounting(missing) if missing else {}
        if found is None and not accounted:
            self._warn(self._silence.unanswered(time.monotonic()))
            return None
        self._warn(self._silence.answered(time.monotonic()))
        known = {**(accounted or {}), **(found or {})}
        for text in self._waiting.news(known):
            self._warn(text)
        if found is None:
            # Only the controller can say that it no longer knows a job.
            return {**dict.fromkeys(missing, JobState("UNKNOWN")), **known}
        return known

    def _warn(self, text: str | None) -> None:
        if text:
            self.logger.warning(f"weft: {text}")

    def _report(self, job: SubmittedJobInfo, verdict: Verdict) -> None:
        log = job.aux.get("slurm_logfile")
        if verdict.problem:
            logs = [str(log)] if log else []
            # Snakemake goes on behind it in the same line.
            self.report_job_error(job, msg=f"{verdict.problem} ", aux_logs=logs)
            return
        self.report_job_success(job)
        if log and not self.workflow.executor_settings.keep_successful_logs:
            with suppress(OSError):
                Path(log).unlink()


def _folder(job_info: SubmittedJobInfo) -> Path | None:
    """The shard's folder, which holds its history; None if the job computes no shard."""
    logs = [Path(log) for log in getattr(job_info.job, "log", ())]
    return logs[0].parent if logs and logs[0].name == RUN_LOG else None


def _outcome(job_info: SubmittedJobInfo) -> Any:
    """How the shard's own history says that the job ended; asked only where Slurm forgot it."""
    folder = _folder(job_info)
    return lambda: outcome_of(folder, job_info.external_jobid) if folder else None
