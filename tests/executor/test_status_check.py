"""What the executor `weft-slurm` concludes from answers, and from none."""

import asyncio
import json
import os
import threading
from types import SimpleNamespace

import pytest
from snakemake_executor_plugin_weft_slurm import Executor, ExecutorSettings
from snakemake_executor_plugin_weft_slurm.silence import Silence
from snakemake_executor_plugin_weft_slurm.verdicts import Verdicts
from snakemake_executor_plugin_weft_slurm.waiting import Waiting
from snakemake_interface_common.exceptions import WorkflowError
from snakemake_interface_executor_plugins.executors.base import SubmittedJobInfo
from weft.engines.jobs import read_jobs
from weft.files.layout import JOBS


class Nothing:
    """A rate limiter that does not."""

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        return None


@pytest.fixture
def executor(tmp_path, monkeypatch):
    """The executor without a workflow, beside programs of Slurm that answer as said."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    found = object.__new__(Executor)
    settings = ExecutorSettings(keep_successful_logs=True, silence_seconds=0)
    found.workflow = SimpleNamespace(executor_settings=settings)
    found.run_uuid, found._next_seconds_between_status_checks = "weft", 10
    found.status_rate_limiter = Nothing()
    found._silence, found._verdicts, found._waiting = Silence(0), Verdicts(), Waiting()
    found._ending = threading.Event()
    found.said, found.succeeded = [], []
    found.logger = SimpleNamespace(warning=found.said.append)
    found.report_job_success = lambda job: found.succeeded.append(job.external_jobid)
    found.failed = []
    found.print_job_error = lambda job, msg=None, **_: found.failed.append(
        (job.external_jobid, msg)
    )
    monkeypatch.setattr(Executor.__mro__[1], "report_job_error", found_error(found))

    def answers(squeue="exit 1", sacct="exit 1"):
        for name, text in (("squeue", squeue), ("sacct", sacct)):
            (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
            (tmp_path / "bin" / name).chmod(0o755)

    def check(*numbers):
        """The jobs that are still open after one status check."""
        jobs = [
            SubmittedJobInfo(SimpleNamespace(log=[str(tmp_path / number / "run.log")]), number, {})
            for number in numbers
        ]

        async def open_ones():
            return [job.external_jobid async for job in found.check_active_jobs(jobs)]

        return asyncio.run(open_ones())

    answers()
    found.answers, found.check = answers, check
    return found


def found_error(found):
    return lambda self, job, msg=None, **_: found.failed.append((job.external_jobid, msg))


def test_jobs_end_well_or_badly_as_the_queue_says(executor):
    executor.answers("echo '1|COMPLETED|None'; echo '2|TIMEOUT|TimeLimit'; echo '3|RUNNING|None'")
    assert executor.check("1", "2", "3") == ["3"]
    assert executor.succeeded == ["1"]
    assert executor.failed == [("2", "Slurm job 2 ended as TIMEOUT. ")]


@pytest.mark.parametrize("name", ["SQUEUE_PARTITION", "SQUEUE_USERS", "SQUEUE_ACCOUNT"])
def test_filters_of_the_user_hide_no_job(executor, monkeypatch, name):
    monkeypatch.setenv(name, "other")
    executor.answers(f'[ -n "${name}" ] || echo "1|RUNNING|None"')
    assert [executor.check("1") for _ in range(3)] == [["1"]] * 3
    assert executor.failed == []


def test_jobs_in_a_hidden_partition_are_seen(executor):
    executor.answers('case "$*" in *--all*) echo "1|RUNNING|None" ;; esac')
    assert [executor.check("1") for _ in range(3)] == [["1"]] * 3


def test_a_waiting_job_that_is_cancelled_fails_and_is_in_the_history(executor, tmp_path):
    executor.answers("echo '7|CANCELLED|None'")
    assert executor.check("7") == []
    [job] = read_jobs(tmp_path / "7")
    assert (job["slurm_job_id"], job["outcome"]) == ("7", "lost")


def test_a_run_that_has_cancelled_its_jobs_reports_none_of_them(executor, tmp_path):
    executor.answers("echo '7|CANCELLED|None'")
    executor._ending.set()
    assert executor.check("7") == ["7"]
    assert (executor.failed, read_jobs(tmp_path / "7")) == ([], [])


def test_while_nobody_answers_every_job_stays_open_and_the_run_says_so(executor):
    for _ in range(5):
        assert executor.check("1", "2") == ["1", "2"]
    assert "Slurm has not answered" in executor.said[0]
    executor.answers("echo '1|COMPLETED|None'; echo '2|COMPLETED|None'")
    assert executor.check("1", "2") == []
    assert executor.failed == []


def test_what_the_controller_has_forgotten_the_accounting_knows(executor):
    executor.answers("true", "echo '1|COMPLETED|None'; echo '2|CANCELLED by 1000|None'")
    assert executor.check("1", "2") == []
    assert (executor.succeeded, len(executor.failed)) == (["1"], 1)


def test_accounting_alone_ends_no_job_that_it_does_not_know(executor):
    executor.answers("exit 1", "echo '1|COMPLETED|None'")
    for _ in range(4):
        assert executor.check("1", "2") == ["2"]


@pytest.mark.parametrize(
    ("line", "succeeds", "problem"),
    [
        ({"outcome": "done"}, True, None),
        ({"outcome": "failed"}, False, "its history says failed"),
        ({}, False, "its history has no end"),
    ],
)
def test_a_job_that_nobody_remembers_is_judged_by_its_own_history(
    executor, tmp_path, line, succeeds, problem
):
    (tmp_path / "1").mkdir()
    (tmp_path / "1" / JOBS).write_text(json.dumps({"job": "a", "slurm_job_id": "1", **line}) + "\n")
    executor.answers("true")
    assert executor.check("1") == ["1"]  # an answer may come too early
    assert executor.check("1") == []
    assert executor.succeeded == (["1"] if succeeds else [])
    assert [problem in text for _, text in executor.failed] == ([True] if problem else [])


@pytest.mark.parametrize("state", ["NODE_FAIL", "PREEMPTED"])
def test_a_lost_job_may_be_queued_again_by_slurm(executor, state):
    executor.answers(f"echo '1|{state}|None'")
    assert executor.check("1") == ["1"]
    executor.answers("echo '1|PENDING|BeginTime'")
    assert executor.check("1") == ["1"]
    executor.answers(f"echo '1|{state}|None'")
    assert executor.check("1") == ["1"]
    assert executor.check("1") == []
    assert executor.failed == [("1", f"Slurm job 1 ended as {state}, and was not queued again. ")]


def test_a_reason_that_will_not_pass_is_said_once_with_what_to_change(executor):
    executor.answers('for job in 1 2 3; do echo "$job|PENDING|PartitionTimeLimit"; done')
    executor.check("1", "2", "3")
    executor.check("1", "2", "3")
    [text] = executor.said
    assert text.startswith("weft: Slurm will not start job 1 and 2 more (PartitionTimeLimit): ")
    assert "runtime_per_job" in text


@pytest.mark.parametrize(
    ("line", "start", "text"),
    [
        ("PENDING|PartitionConfig", "will not start job 1 ", "set nodes, ranks_per_node"),
        ("PENDING|SomethingNew", "does not start job 1 ", "weft does not know this reason"),
        ("SUSPENDED|None", "does not go on with job 1 ", "scontrol resume"),
        ("SPECIAL_EXIT|JobHeldUser", "does not go on with job 1 ", "scontrol release"),
    ],
)
def test_what_does_not_change_by_itself_is_said_once_and_ends_no_job(executor, line, start, text):
    executor.answers(f"echo '1|{line}'")
    assert [executor.check("1") for _ in range(3)] == [["1"]] * 3
    [said] = executor.said
    assert said.startswith(f"weft: Slurm {start}")
    assert text in said


def test_jobs_are_asked_about_more_seldom_while_none_ends(executor):
    executor.answers("echo '1|RUNNING|None'")
    waits = [executor.check("1") and executor.next_seconds_between_status_checks for _ in range(7)]
    assert waits == [20, 30, 40, 50, 60, 60, 60]
    executor.answers("echo '1|COMPLETED|None'")
    executor.check("1")
    assert executor.next_seconds_between_status_checks == 10


def test_job_arrays_are_refused():
    with pytest.raises(WorkflowError, match="submits one job per shard"):
        ExecutorSettings(array_jobs="simulate")


def test_a_silence_is_said_each_time_that_patience_ends_and_when_it_is_over():
    silence = Silence(600)
    said = [silence.unanswered(now) for now in (0, 300, 599, 600, 900, 1200)]
    assert [bool(text) for text in said] == [False, False, False, True, False, True]
    assert "20 min" in said[-1]
    assert silence.answered(1300) == "Slurm answers again, after 22 min"
    assert silence.answered(1310) is None


@pytest.mark.parametrize(
    ("allocation", "state", "journal", "again"),
    [
        (1, "TIMEOUT", 9, True),
        (1, "TIMEOUT", 4, False),
        (1, "FAILED", 9, False),
        (None, "TIMEOUT", 9, False),
    ],
)
def test_an_allocation_whose_time_was_up_goes_on_without_using_up_a_retry(
    executor, tmp_path, allocation, state, journal, again
):
    folder = tmp_path / "5"
    folder.mkdir()
    start = {"job": "a", "host": "node1", "slurm_job_id": "5", "points_before": 4}
    (folder / JOBS).write_text(json.dumps(start) + "\n")
    (folder / "journal.jsonl").write_text("{}\n" * journal)
    executor.answers(f"echo '5|{state}|None'")
    submitted = []
    executor._submit = lambda call, job: submitted.append(job)
    job = SimpleNamespace(log=[str(folder / "run.log")], resources={"allocation": allocation})

    async def open_ones():
        info = SubmittedJobInfo(job, "5", {})
        return [each async for each in executor.check_active_jobs([info])]

    assert asyncio.run(open_ones()) == []
    assert (submitted == [job], executor.failed == []) == (again, again)
    said = [text for text in executor.said if "the time of Slurm job 5 was up" in text]
    assert len(said) == again
