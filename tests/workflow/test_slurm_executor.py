"""The corrections of the Slurm executor, one by one; `tests/cluster` has them at work."""

import base64
import importlib
import json
import types
import zlib

import pytest
from weft.engines.jobs import read_jobs
from weft.prepare.slurm_executor import TASKS, command_of_task, correct


@pytest.fixture
def executor():
    """A copy of the real executor's module, so that other tests keep the original."""
    module = importlib.import_module("snakemake_executor_plugin_slurm")
    copy = types.ModuleType("copy")
    vars(copy).update(vars(module))
    vars(copy).pop("corrected_by_weft", None)
    copy.Executor = type("Executor", (module.Executor,), {})
    return copy


def test_what_is_replaced_is_there_in_the_locked_version(executor):
    before = dict(vars(executor))
    correct(executor)
    assert {name for name in before if vars(executor)[name] is not before[name]} == {
        "pending_jobs_for_rule",
        "get_min_job_age",
        "query_job_status_sacct",
    }


def test_no_ready_job_waits_for_others(executor):
    correct(executor)
    dag = types.SimpleNamespace(ready_jobs=[types.SimpleNamespace(rule="simulate")] * 9)
    assert executor.pending_jobs_for_rule(dag, "simulate") == 0


def test_a_silent_controller_is_not_one_that_forgets(executor):
    answers = [None, 300, None, 600]
    executor.get_min_job_age = lambda: answers.pop(0)
    correct(executor)
    assert [executor.get_min_job_age() for _ in range(4)] == [None, 300, 300, 600]


def test_sacct_names_the_tasks_of_an_array(executor):
    assert "JobIdRaw" in executor.query_job_status_sacct("run")
    correct(executor)
    assert "--format=JobId,State" in executor.query_job_status_sacct("run")


def test_an_array_has_jobs_that_ask_for_the_same(executor):
    submitted = []
    executor.Executor._submit_array_jobs = lambda self, jobs: submitted.append(jobs)
    correct(executor)
    few, more, other = (
        types.SimpleNamespace(resources={"mem_mb": memory, "tmpdir": folder})
        for memory, folder in ((1, "a"), (2, "a"), (1, "b"))
    )
    executor.Executor._submit_array_jobs(None, [few, more, other])
    assert submitted == [[few, other], [more]]


def test_a_second_correction_changes_nothing(executor):
    correct(executor)
    once = dict(vars(executor))
    correct(executor)
    assert vars(executor) == once


@pytest.mark.parametrize(
    ("task", "command"), [("1", None), ("2", "snakemake second"), ("3", "snakemake third")]
)
def test_a_task_becomes_its_own_shards_command(task, command):
    later = {"2": "snakemake second", "3": "snakemake third"}
    packed = {task: zlib.compress(text.encode()).hex() for task, text in later.items()}
    option = TASKS + base64.b64encode(json.dumps(packed).encode()).decode()
    found = command_of_task(["snakemake", option], {"SLURM_ARRAY_TASK_ID": task})
    assert found == command


def test_a_job_without_an_array_goes_on_as_it_is():
    assert command_of_task(["snakemake", "--mode", "remote"], {}) is None


@pytest.fixture
def failed(executor, tmp_path):
    """Reports the failure of a job of Slurm; gives what the executor was told."""
    told = []
    executor.Executor.report_job_error = lambda self, job, **named: told.append((job, named))
    correct(executor)

    def report(number, log="shard/run.log"):
        job = types.SimpleNamespace(log=[str(tmp_path / log)])
        info = types.SimpleNamespace(job=job, external_jobid=number)
        executor.Executor.report_job_error(None, info, msg="failed")
        return told.pop() == (info, {"msg": "failed"})

    return report


def test_a_job_that_ended_before_it_began_is_in_the_history(failed, tmp_path):
    assert failed("17")
    [job] = read_jobs(tmp_path / "shard")
    assert (job["slurm_job_id"], job["outcome"]) == ("17", "lost")


def test_a_job_that_began_is_not_noted_twice(failed, tmp_path):
    (tmp_path / "shard").mkdir()
    start = json.dumps({"job": "a", "slurm_job_id": "17"}) + "\n"
    (tmp_path / "shard" / "jobs.jsonl").write_text(start)
    assert failed("17")
    assert (tmp_path / "shard" / "jobs.jsonl").read_text() == start


def test_jobs_without_a_number_or_a_shard_are_only_reported(failed, tmp_path):
    assert failed(None)
    assert failed("17", "logs/collect.log")
    assert list(tmp_path.iterdir()) == []
