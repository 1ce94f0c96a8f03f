"""How the executor `weft-slurm` submits jobs, and what it does when a run ends meanwhile."""

import asyncio
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
import snakemake_executor_plugin_slurm as slurm
from snakemake_executor_plugin_weft_slurm import Executor
from snakemake_executor_plugin_weft_slurm.pace import Pace
from snakemake_executor_plugin_weft_slurm.refusals import Refusals
from snakemake_interface_executor_plugins.executors.base import SubmittedJobInfo

from tests.patience import wait_until

#: As Slurm's executor passes on what `sbatch` printed.
REFUSED = (
    "SLURM sbatch failed. The error message was 'sbatch: error: {}\nsbatch: error: Batch job "
    "submission failed: Job violates accounting/QOS policy'.\n    sbatch call:\n        sbatch"
)


@pytest.fixture
def executor(tmp_path, monkeypatch):
    """The executor without a workflow; `submitted` lists what reaches `sbatch`."""
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    found = object.__new__(Executor)
    settings = SimpleNamespace(init_seconds_before_status_checks=0)
    found.workflow = SimpleNamespace(executor_settings=settings)
    found.run_uuid, found._partitions, found._main_event_loop = "weft_7", None, None
    found._ending, found._refusals = threading.Event(), Refusals()
    found._pace = Pace(1_000, 1)
    found._job_submission_executor = ThreadPoolExecutor(max_workers=1)
    found.said, found.failed, found.submitted = [], [], []
    found.logger = SimpleNamespace(warning=found.said.append)
    found.print_job_error = lambda *_, **__: None
    found.workflow.scheduler = SimpleNamespace(error_callback=found.failed.append)
    monkeypatch.setattr(slurm.Executor, "run_job", lambda self, job: self.submitted.append(job))
    yield found
    found._ending.set()
    found._job_submission_executor.shutdown()


def program(folder, name, text):
    (folder / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / name).chmod(0o755)


def job(**resources):
    return SimpleNamespace(resources=SimpleNamespace(get=resources.get, **resources))


def test_a_run_that_ends_cancels_its_jobs_by_name_and_submits_no_more(executor, tmp_path):
    program(tmp_path, "scancel", f'echo "$*" >{tmp_path}/cancelled')
    held = threading.Event()
    executor._job_submission_executor.submit(held.wait)
    executor._job_submission_executor.submit(executor.run_job, "waiting")
    threading.Timer(0.05, held.set).start()
    executor.cancel_jobs([])
    executor.run_job("late")
    assert (tmp_path / "cancelled").read_text() == "--name=weft_7\n"
    assert executor.submitted == []


def test_jobs_that_cannot_be_cancelled_are_named(executor, tmp_path):
    program(tmp_path, "scancel", "exit 1")
    executor.cancel_jobs([])
    assert "scancel --name=weft_7" in executor.said[0]


def test_no_status_check_is_waited_for_when_the_run_ends(executor):
    executor.next_seconds_between_status_checks = 3600
    threading.Timer(0.05, executor._ending.set).start()
    asyncio.run(asyncio.wait_for(executor.sleep(), 60))


@pytest.mark.parametrize("limit", ["AssocMaxSubmitJobLimit", "QOSMaxSubmitJobPerUserLimit"])
def test_jobs_above_a_limit_of_the_queue_are_submitted_later(executor, limit):
    for each in ("a", "b"):
        executor.report_job_error(SubmittedJobInfo(each), REFUSED.format(limit))
    wait_until(lambda: executor.submitted == ["a", "b"], "both jobs")
    assert executor.failed == []
    [text] = executor.said
    assert limit in text


def test_jobs_are_submitted_again_while_the_controller_is_away(executor):
    away = "sbatch: error: Batch job submission failed: Unable to contact slurm controller"
    executor.report_job_error(SubmittedJobInfo("a"), away)
    wait_until(lambda: executor.submitted == ["a"], "the job")
    assert executor.failed == []


@pytest.mark.parametrize(
    ("reason", "keys"),
    [
        ("No partition specified or system default partition", "partition"),
        ("Invalid account or account/partition combination specified", "account or partition"),
        ("Invalid qos specification", "qos"),
    ],
)
def test_what_slurm_will_never_take_fails_with_the_keys_to_set(executor, reason, keys):
    never = f"failed: {reason}'.\n    sbatch call:\n        sbatch --wrap"
    for each in ("a", "b"):
        executor.report_job_error(SubmittedJobInfo(each), never)
    assert executor.failed == ["a", "b"]
    [text] = executor.said
    assert f": set {keys} in the machine file" in text


def test_the_command_that_is_refused_fills_no_screen(executor):
    refused = Refusals().judged(REFUSED.format("Strange") + " --wrap" * 1000)
    assert "Strange" in refused.message
    assert "--wrap" not in refused.message


def test_slurm_itself_judges_account_and_partition(executor, tmp_path):
    """No program is asked: many sites have no `sacctmgr` on login nodes."""
    for name in ("sacctmgr", "sshare", "sinfo"):
        program(tmp_path, name, "exit 1")
    assert list(executor.get_account_arg(job(slurm_account="p 1"))) == [" -A 'p 1'"]
    assert executor.get_partition_arg(job(slurm_partition="short")) == " -p short"


def test_without_account_and_partition_the_user_s_own_ones_count(executor):
    assert list(executor.get_account_arg(job())) == [""]
    assert executor.get_partition_arg(job()) == ""
