"""The history of jobs: what a shard's folder stores, and what Slurm adds."""

import json
import os
import signal
import subprocess
import sys

import duckdb
import pytest
from weft.database import collect
from weft.engines.jobs import read_jobs, recorded, settle, settle_if_idle
from weft.files.layout import JOBS
from weft.plan import Plan, Point, Points, Shard, write_plan
from weft.scheduler import JobEnd, Slurm


@pytest.fixture
def slurm(tmp_path, monkeypatch):
    """Programs of Slurm that answer as instructed."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.delenv("SLURM_JOB_ID", raising=False)

    def answers(**programs):
        for name in ("scontrol", "sacct"):
            path = folder / name
            path.write_text(f"#!/bin/sh\n{programs.get(name, 'exit 1')}\n")
            path.chmod(0o755)

    answers()
    return answers


def killed(folder, **more):
    """A start without an end."""
    folder.mkdir(parents=True, exist_ok=True)
    line = {"job": "aaa", "started_at": "2026-01-01", "host": "n1", "points_before": 0, **more}
    (folder / JOBS).write_text(json.dumps(line) + "\n")


def test_a_job_notes_its_start_and_its_end(tmp_path, slurm):
    with recorded(tmp_path, None):
        assert "outcome" not in read_jobs(tmp_path)[0]
    [job] = read_jobs(tmp_path)
    assert job["outcome"] == "done"
    assert job["ended_at"] >= job["started_at"]


def test_a_failure_is_noted_with_its_first_line(tmp_path, slurm):
    def failing():
        with recorded(tmp_path, tmp_path / "flow-1.sif"):
            raise ValueError("broken\nlog")

    with pytest.raises(ValueError, match="broken"):
        failing()
    [job] = read_jobs(tmp_path)
    assert (job["outcome"], job["detail"], job["image"]) == ("failed", "broken", "flow-1.sif")


def test_sigterm_is_noted_and_still_kills(tmp_path):
    script = (
        "import os, signal, sys; from pathlib import Path\n"
        "from weft.engines.jobs import recorded\n"
        "with recorded(Path(sys.argv[1]), None): os.kill(os.getpid(), signal.SIGTERM)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False)
    assert done.returncode == -signal.SIGTERM
    assert read_jobs(tmp_path)[0]["outcome"] == "terminated"


def test_the_next_job_finds_that_the_last_one_was_killed(tmp_path, slurm):
    killed(tmp_path)
    (tmp_path / "journal.jsonl").write_text("{}\n{}\n")
    with recorded(tmp_path, None):
        pass
    first, second = read_jobs(tmp_path)
    assert (first["outcome"], second["points_before"]) == ("killed", 2)


@pytest.mark.parametrize(
    "programs",
    [
        {"scontrol": "echo JobId=7 JobState=OUT_OF_MEMORY Reason=x NodeList=node2 End=1"},
        {"sacct": "echo 'OUT_OF_MEMORY|node2'"},
        {
            "scontrol": "echo JobId=7 JobState=RUNNING NodeList=node2",
            "sacct": "echo 'OUT_OF_MEMORY|node2'",
        },
    ],
    ids=["controller", "accounting", "accounting knows more"],
)
def test_slurm_reports_why(tmp_path, slurm, programs):
    slurm(**programs)
    killed(tmp_path, slurm_job_id="7")
    settle(tmp_path)
    [job] = read_jobs(tmp_path)
    assert (job["slurm_state"], job["slurm_nodes"]) == ("OUT_OF_MEMORY", "node2")


def test_a_job_on_its_way_out_is_asked_for_again(tmp_path, slurm):
    slurm(scontrol="echo JobId=7 JobState=COMPLETING NodeList=node2")
    killed(tmp_path, slurm_job_id="7")
    settle(tmp_path)
    settle(tmp_path)
    assert len((tmp_path / JOBS).read_text().splitlines()) == 2
    assert read_jobs(tmp_path)[0].get("slurm_state") is None
    slurm(scontrol="echo JobId=7 JobState=CANCELLED NodeList=node2")
    settle(tmp_path)
    assert read_jobs(tmp_path)[0]["slurm_state"] == "CANCELLED"


def test_a_job_that_was_cancelled_after_its_last_point_is_reported_as_such(tmp_path, slurm):
    slurm(scontrol="echo JobId=7 JobState=CANCELLED NodeList=node2")
    killed(tmp_path, slurm_job_id="7", outcome="done")
    settle(tmp_path)
    assert "slurm_state" not in read_jobs(tmp_path)[0]
    with recorded(tmp_path, None):
        pass
    settle(tmp_path)
    first, second = read_jobs(tmp_path)
    assert (first["outcome"], first["slurm_state"]) == ("done", "CANCELLED")
    assert "slurm_state" not in second


def test_slurm_is_not_asked_for_ever(tmp_path, slurm):
    killed(tmp_path, slurm_job_id="7", asked_at="2026-01-01T00:00:00+00:00")
    settle(tmp_path)
    assert read_jobs(tmp_path)[0]["settled"]


def test_a_job_that_slurm_takes_for_a_good_one_needs_no_state(tmp_path, slurm):
    slurm(scontrol="echo JobId=7 JobState=COMPLETED NodeList=node2")
    killed(tmp_path, slurm_job_id="7")
    settle(tmp_path)
    [job] = read_jobs(tmp_path)
    assert (job["settled"], job.get("slurm_state")) == (True, None)


def test_accounting_says_who_cancelled(slurm):
    slurm(sacct="echo 'CANCELLED by 0|None assigned'")
    assert Slurm().end_of("7") == JobEnd("CANCELLED", "")


def test_slurm_is_not_asked_about_a_job_of_another_batch_system(tmp_path, slurm):
    slurm(scontrol="echo JobId=7 JobState=OUT_OF_MEMORY NodeList=node2")
    killed(tmp_path, slurm_job_id="7", scheduler="Grid Engine")
    settle(tmp_path)
    assert read_jobs(tmp_path)[0].get("slurm_state") is None


def test_without_slurm_a_job_was_just_killed(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    killed(tmp_path, slurm_job_id="7")
    settle(tmp_path)
    [job] = read_jobs(tmp_path)
    assert (job["outcome"], job.get("slurm_state")) == ("killed", None)


def test_the_same_number_again_means_that_slurm_started_it_again(tmp_path, slurm, monkeypatch):
    killed(tmp_path, slurm_job_id="7")
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    with recorded(tmp_path, None):
        pass
    first, second = read_jobs(tmp_path)
    assert (first["slurm_state"], second["restart_count"]) == ("REQUEUED", 1)


def test_a_job_at_work_is_left_alone(tmp_path, slurm):
    killed(tmp_path)
    holder = "import fcntl, sys; f = open(sys.argv[1], 'w'); fcntl.flock(f, fcntl.LOCK_EX);"
    holder += "print('held', flush=True); sys.stdin.read()"
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", holder, str(tmp_path / "lock")], stdin=pipe, stdout=pipe
    ) as process:
        process.stdout.readline()
        settle_if_idle(tmp_path)
        assert "outcome" not in read_jobs(tmp_path)[0]
        process.stdin.close()
        process.wait()
    settle_if_idle(tmp_path)
    assert read_jobs(tmp_path)[0]["outcome"] == "killed"


def test_a_torn_line_is_left_out(tmp_path):
    killed(tmp_path)
    with (tmp_path / JOBS).open("a") as file:
        file.write('{"job": "bb')
    assert len(read_jobs(tmp_path)) == 1


def test_the_database_holds_the_jobs_of_unfinished_shards(tmp_path, slurm):
    spec = {"engine": "flow", "topology": {}, "network": {}, "workload": {}, "options": {}}
    points = Points.of([Point("p", "flow", 0, 1, spec, {})])
    plan = Plan("x", "x", "?", points, (Shard("5", "flow", "1", ("p",)),))
    results = tmp_path / "results"
    write_plan(plan, results / "x/plan.json")
    killed(results / "x/flow/5")
    collect("x", results, tmp_path / "papers", results / "weft.duckdb")
    with duckdb.connect(str(results / "weft.duckdb"), read_only=True) as con:
        rows = con.execute("SELECT experiment, engine, shard, attempt, outcome FROM jobs")
        assert rows.fetchall() == [("x", "flow", "5", 1, "killed")]
