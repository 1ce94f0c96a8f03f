"""The executor: what it asks Slurm, and what it reports to Snakemake."""

from __future__ import annotations

import asyncio
import os
import shlex
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import snakemake_executor_plugin_slurm as slurm
from snakemake_interface_executor_plugins.executors.base import SubmittedJobInfo
from snakemake_interface_executor_plugins.jobs import JobExecutorInterface
from snakemake_interface_executor_plugins.workflow import WorkflowExecutorInterface
from weft.engines.jobs import goes_on, note_lost, outcome_of
from weft.scheduler.slurm import JobState, ask_accounting, ask_queue, cancel

from snakemake_executor_plugin_weft_slurm.pace import Pace
from snakemake_executor_plugin_weft_slurm.refusals import Refusals
from snakemake_executor_plugin_weft_slurm.silence import Silence
from snakemake_executor_plugin_weft_slurm.verdicts import Verdict, Verdicts
from snakemake_executor_plugin_weft_slurm.waiting import Waiting

#: The log of a shard's job, in the shard's folder.
RUN_LOG = "run.log"
#: Each check that sees no end makes the next one so much later.
LATER_S = 10


class Executor(slurm.Executor):  # type: ignore[misc]
    """The Slurm executor with its own status check."""

    def __init__(self, workflow: WorkflowExecutorInterface, *arguments: object) -> None:
        limit = workflow.scheduling_settings.max_jobs_per_timespan
        try:
            self._pace = Pace(limit.max_jobs, limit.timespan)
        except ValueError as error:
            # Of a WorkflowError Snakemake would name this line, too.
            raise SystemExit(f"weft: {error}") from error
        # The thread of status checks starts, and sleeps, before __post_init__.
        self._ending = threading.Event()
        # The next line removes it, after a warning.
        job = os.environ.get("SLURM_JOB_ID")
        super().__init__(workflow, *arguments)
        if job:
            self._warn(
                f"Snakemake warns because it runs inside job {job}. For weft that is fine: the job "
                "of profiles/slurm/driver.sh does so on purpose"
            )

    def __post_init__(self, test_mode: bool = False) -> None:
        """Prepare what lasts as long as the run."""
        super().__post_init__(test_mode)
        settings = self.workflow.executor_settings
        self._silence = Silence(settings.silence_seconds)
        self._verdicts, self._waiting = Verdicts(), Waiting()
        self._refusals = Refusals()

    def run_job(self, job: JobExecutorInterface) -> None:
        """Submit a job when its turn comes, unless the run ends."""
        if not self._ending.wait(self._pace.wait_s(time.monotonic())):
            super().run_job(job)

    async def sleep(self) -> None:
        """Wait for the next status check, but not longer than the run lasts."""
        await asyncio.to_thread(self._ending.wait, self.next_seconds_between_status_checks)

    def cancel_jobs(self, active_jobs: list[SubmittedJobInfo]) -> None:
        """Submit no more jobs, and cancel all of the run.

        `active_jobs` lacks jobs for which `sbatch` has not answered yet, and is empty during a
        status check. So the jobs are cancelled by their name.
        """
        self._ending.set()
        self._job_submission_executor.shutdown(wait=True, cancel_futures=True)
        if not cancel(self.run_uuid):
            self._warn(
                "Slurm did not accept that the jobs of this run end. When it answers again, "
                f"cancel them: scancel --name={self.run_uuid}"
            )

    def shutdown(self) -> None:
        """End the executor once every job is submitted; no status check is waited for."""
        self._job_submission_executor.shutdown(wait=True)
        self._ending.set()
        super().shutdown()

    async def check_active_jobs(
        self, active_jobs: list[SubmittedJobInfo]
    ) -> AsyncIterator[SubmittedJobInfo]:
        """Report jobs that have ended; yield the others: all, once the run has cancelled them."""
        soonest = self.workflow.executor_settings.init_seconds_before_status_checks
        if not active_jobs:
            self.next_seconds_between_status_checks = soonest
            return
        async with self.status_rate_limiter:
            states = await asyncio.to_thread(self._ask, active_jobs)
        ended = False
        for job in active_jobs:
            if self._ending.is_set():
                yield job
                continue
            verdict = self._verdicts.of(job.external_jobid, states, _outcome(job))
            if verdict.open:
                yield job
            else:
                ended = True
                self._report(job, verdict)
        most = max(soonest, self.workflow.executor_settings.most_seconds_between_status_checks)
        later = min(self.next_seconds_between_status_checks + LATER_S, most)
        self.next_seconds_between_status_checks = soonest if ended else later

    def report_job_error(
        self, job_info: SubmittedJobInfo, msg: str | None = None, **named: Any
    ) -> None:
        """As always, but a job that Slurm refuses for a while is submitted again and again.

        If a job could write no line into the shard's history, this writes it.
        """
        if not job_info.external_jobid:
            refusal = self._refusals.judged(msg or "")
            self._warn(refusal.news)
            if refusal.passes:
                self._submit(self._run_later, job_info.job)
                return
            msg = f"{refusal.message} "
        elif folder := _folder(job_info):
            # The history is optional: the run goes on without it.
            with suppress(OSError):
                note_lost(folder, str(job_info.external_jobid))
        super().report_job_error(job_info, msg, **named)

    def get_account_arg(self, job: JobExecutorInterface) -> Iterator[str]:
        """The account of the machine file; Slurm judges it. Many sites have no `sacctmgr` here."""
        account = job.resources.get("slurm_account")
        yield f" -A {shlex.quote(str(account))}" if account else ""

    def get_partition_arg(self, job: JobExecutorInterface) -> str:
        """Without a partition Slurm takes the user's (`SBATCH_PARTITION`) or the default one."""
        if self._partitions or job.resources.get("slurm_partition"):
            return str(super().get_partition_arg(job))
        return ""

    def _run_later(self, job: JobExecutorInterface) -> None:
        if not self._ending.wait(self.workflow.executor_settings.init_seconds_before_status_checks):
            self._submit(self.run_job, job)

    def _submit(
        self, call: Callable[[JobExecutorInterface], None], job: JobExecutorInterface
    ) -> None:
        """Call it in a thread of those that submit; not where the run ended just now."""
        with suppress(RuntimeError):
            self._job_submission_executor.submit(call, job)

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
        if verdict.problem and _goes_on(job, verdict):
            number = job.external_jobid
            self._warn(f"the time of Slurm job {number} was up; the next job goes on where it was")
            self._submit(self._run_later, job.job)
            return
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


def _goes_on(job_info: SubmittedJobInfo, verdict: Verdict) -> bool:
    """Whether an allocation has measured something until its time was up: that is no failure, and
    uses up no retry."""
    folder = _folder(job_info)
    resources = getattr(job_info.job, "resources", {})
    if not verdict.late or folder is None or not resources.get("allocation"):
        return False
    return goes_on(folder, job_info.external_jobid)


def _outcome(job_info: SubmittedJobInfo) -> Any:
    """How the shard's own history says that the job ended; asked only where Slurm forgot it."""
    folder = _folder(job_info)
    return lambda: outcome_of(folder, job_info.external_jobid) if folder else None
