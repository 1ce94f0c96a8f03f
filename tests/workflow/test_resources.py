"""What a job asks for when earlier jobs of its shard came to a bad end."""

import json
import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from weft.engines.jobs import read_jobs
from weft.files.layout import JOBS
from weft.machine import MachineFile
from weft.plan.costs import Costs
from weft.plan.model import Point, Shard
from weft.plan.plan import Plan
from weft.plan.points import Points
from weft.prepare.jobs.estimates import job_needs
from weft.prepare.jobs.job_needs import JobNeeds, MeasuredShard, Need
from weft.prepare.jobs.resources import Resources
from weft.scheduler import RequestLimits, Slurm
from weft.scheduler.slurm import _limits

AT = SimpleNamespace(experiment="x", engine="flow", shard="1")
KILLED = {"slurm_job_id": "7"}
#: What `sinfo` knows of one partition alone.
SMALL = 'case "$*" in *--partition=small*) echo "small {} 1-infinite 4" ;; *) exit 1 ;; esac'
SETTLED = {"slurm_job_id": "7", "settled": True}


@pytest.fixture
def slurm(tmp_path, monkeypatch):
    """Programs of Slurm that answer as instructed; without an answer they fail."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    for name in ("SLURM_JOB_ID", "SLURM_ARRAY_JOB_ID"):
        monkeypatch.delenv(name, raising=False)

    def answers(**programs):
        _limits.cache_clear()
        for name in ("scontrol", "sacct", "sinfo"):
            path = folder / name
            path.write_text(f"#!/bin/sh\n{programs.get(name, 'exit 1')}\n")
            path.chmod(0o755)

    answers()
    yield answers
    _limits.cache_clear()


def needs(runtime_min, **machine):
    return JobNeeds(Need(2000, runtime_min), {}, MachineFile(**{"scheduler": "slurm"} | machine))


def asked(results, attempt, *jobs, runtime_min=15, **machine):
    """Memory and time for the next job of a shard that had `jobs`."""
    folder = results / "x" / "flow" / "1"
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"job": str(number), **job}) for number, job in enumerate(jobs)]
    (folder / JOBS).write_text("".join(f"{line}\n" for line in lines))
    found = Resources({"x": needs(runtime_min, **machine)}, results)
    return found.simulate_memory_mb(AT, attempt), found.simulate_runtime_min(AT, attempt)


def test_what_an_idle_node_did_says_nothing_about_the_next_job(tmp_path, slurm):
    ended = [
        SETTLED | {"outcome": "terminated", "slurm_state": "TIMEOUT"},
        SETTLED | {"outcome": "killed", "slurm_state": "OUT_OF_MEMORY"},
        SETTLED | {"outcome": "killed"},
    ]
    assert asked(tmp_path, 3, *ended) != (2000, 15)
    assert asked(tmp_path, 3, *(each | {"idle": True} for each in ended)) == (2000, 15)


def test_slurm_is_not_asked_for_the_end_of_what_an_idle_node_did(tmp_path, slurm):
    slurm(scontrol=f"touch {tmp_path}/asked; exit 1")
    asked(tmp_path, 1, KILLED | {"idle": True})
    assert not (tmp_path / "asked").exists()
    asked(tmp_path, 1, KILLED)
    assert (tmp_path / "asked").exists()


@pytest.mark.parametrize(
    ("idle", "expected_mb"), [(None, 2000), ("simulate", 9000)], ids=["free", "simulate"]
)
def test_a_job_whose_idle_nodes_simulate_asks_for_their_memory(tmp_path, slurm, idle, expected_mb):
    machine = MachineFile(scheduler="slurm", allocation="one", idle_nodes=idle)
    found = JobNeeds(Need(9000, 30), {"1": MeasuredShard(Need(2000, 100), 4)}, machine)
    at = SimpleNamespace(experiment="x", engine="hardware", shard="1")
    asking = Resources({"x": found}, tmp_path)
    assert asking.measure_memory_mb(at, 1) == expected_mb
    assert asking.measure_runtime_min(at, 1) == 100


def test_without_a_job_before_an_attempt_changes_nothing(tmp_path, slurm):
    """A refused sbatch: no job has begun."""
    assert asked(tmp_path, 3) == (2000, 15)


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("OUT_OF_MEMORY", (4000, 15)),
        ("TIMEOUT", (2000, 30)),
        ("CANCELLED", (2000, 15)),
        ("NODE_FAIL", (2000, 15)),
        ("PREEMPTED", (2000, 15)),
    ],
)
@pytest.mark.parametrize("ending", [{}, {"outcome": "terminated"}, {"outcome": "failed"}])
def test_only_what_was_lacking_doubles(tmp_path, slurm, state, expected, ending):
    slurm(scontrol=f"echo JobId=7 JobState={state} NodeList=node1")
    assert asked(tmp_path, 2, KILLED | ending) == expected
    [job] = read_jobs(tmp_path / "x" / "flow" / "1")
    assert job["slurm_state"] == state


@pytest.mark.parametrize(
    ("job", "expected"),
    [
        (KILLED, (4000, 15)),
        (KILLED | {"outcome": "terminated"}, (2000, 30)),
        (KILLED | {"outcome": "failed", "detail": "weft-flow was killed by signal 9"}, (4000, 15)),
        (KILLED | {"outcome": "failed", "detail": "weft-flow ended with exit code 1"}, (2000, 15)),
        (SETTLED | {"outcome": "killed", "slurm_state": "FAILED"}, (4000, 15)),
        (SETTLED | {"outcome": "failed", "slurm_state": "FAILED"}, (2000, 15)),
        (SETTLED | {"outcome": "terminated", "slurm_state": "FAILED"}, (2000, 15)),
        (SETTLED | {"outcome": "killed", "slurm_state": "REQUEUED"}, (2000, 15)),
        (SETTLED | {"outcome": "done"}, (2000, 15)),
    ],
)
def test_an_end_that_nobody_explains(tmp_path, slurm, job, expected):
    assert asked(tmp_path, 2, job) == expected


def test_a_new_command_starts_with_what_was_lacking_before(tmp_path, slurm):
    short = SETTLED | {"outcome": "killed", "slurm_state": "OUT_OF_MEMORY"}
    late = SETTLED | {"outcome": "terminated", "slurm_state": "TIMEOUT"}
    assert asked(tmp_path, 1, short, late, short) == (8000, 30)


def test_a_new_command_does_not_guess_why_jobs_were_killed(tmp_path, slurm):
    assert asked(tmp_path, 1, KILLED, KILLED) == (2000, 15)
    assert asked(tmp_path, 2, KILLED, KILLED) == (4000, 15)


def test_nothing_asks_for_more_than_the_largest_node_and_the_longest_time(tmp_path, slurm):
    slurm(sinfo="echo 'main* 2000 10:00 1-infinite 3'; echo 'main* 3500 20:00 1-infinite 1'")
    short = SETTLED | {"outcome": "killed", "slurm_state": "OUT_OF_MEMORY"}
    late = SETTLED | {"outcome": "terminated", "slurm_state": "TIMEOUT"}
    assert asked(tmp_path, 1, short, late) == (3500, 20)


def test_a_first_job_asks_for_no_more_than_its_partition_has(tmp_path, slurm):
    slurm(sinfo="echo 'main* 1500 50:00 1-infinite 4'")
    assert asked(tmp_path, 1, runtime_min=120) == (1500, 50)


def test_a_job_on_a_node_asks_nobody_for_limits(tmp_path, slurm):
    slurm(sinfo="echo 'main* 1500 50:00 1-infinite 4'")
    assert Resources({"x": needs(120)}, tmp_path, ask=False).simulate_runtime_min(AT, 1) == 120


def test_without_slurm_in_the_machine_file_slurm_is_not_asked(tmp_path, slurm):
    slurm(sinfo="echo 'main* 1500 50:00 1-infinite 4'")
    assert asked(tmp_path, 1, scheduler="other", runtime_min=120) == (2000, 120)


def test_the_partition_of_the_machine_file_is_the_one_that_counts(tmp_path, slurm):
    slurm(sinfo=SMALL.format("2500 infinite"))
    short = SETTLED | {"outcome": "killed", "slurm_state": "OUT_OF_MEMORY"}
    assert asked(tmp_path, 1, short, partition="small")[0] == 2500


def test_without_one_the_partition_of_the_user_s_environment_counts(tmp_path, slurm, monkeypatch):
    monkeypatch.setenv("SBATCH_PARTITION", "small")
    slurm(sinfo=SMALL.format("1500 50:00"))
    assert asked(tmp_path, 1, runtime_min=120) == (1500, 50)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("a* 64000 1-02:30:00 1-infinite 4", RequestLimits(64000, 26 * 60 + 30, 4)),
        ("a* 64000 infinite 1-5 4\na* 500 10:00 1-5 3", RequestLimits(64000, None, 5)),
        ("a 64000 infinite 1-infinite 4\nb 500 10:00 1-2 9", RequestLimits(64000, None, 4)),
        ("a 64000 infinite 1-infinite 4\nb* 500 10:00 2 9", RequestLimits(500, 10, 2)),
        ("a* 500 2:00:00 1-infinite 0", RequestLimits(500, 120)),
        ("an unknown answer", RequestLimits()),
    ],
)
def test_limits_as_sinfo_writes_them(slurm, answer, expected):
    slurm(sinfo=f"echo '{answer}'")
    assert Slurm().limits(None) == expected


def test_slurm_is_asked_for_limits_once(tmp_path, slurm):
    slurm(sinfo=f"echo x >>{tmp_path}/asked; echo main 4000 1:00:00 1-infinite 4")
    assert [Slurm().limits(None) for _ in range(3)] == [RequestLimits(4000, 60, 4)] * 3
    assert (tmp_path / "asked").read_text() == "x\n"


def test_without_slurm_there_are_no_limits(tmp_path, slurm, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    _limits.cache_clear()
    assert Slurm().limits(None) == RequestLimits()


def measuring(points, budget_s=0.2, sizes=1, **options):
    """What the only job asks for that measures so many points of 2 ranks under Slurm."""
    workload = {"kind": "program", "program": "p", "ranks": 2, "message_bytes": [8] * sizes}
    options = {"budget_s": budget_s, "repetitions": 500, **options}
    spec = {"engine": "hardware", "network": {}, "workload": workload, "options": options}
    found = [Point(f"{n:03}", "hardware", n, n, spec | {"seed": n}, {}) for n in range(points)]
    shard = Shard("1", "hardware", "1", tuple(point.point_id for point in found))
    machine = MachineFile(launcher="srun", ranks_per_node=1, timeout_s=300.0)
    plan = Plan("x", "t", "q", Points.of(found), (shard,), machine)
    return job_needs(plan, Costs(), Path("results")).measure["1"].need


@pytest.mark.parametrize(
    ("expected_min", "asked"),
    [
        # 32 × (20 s + 0.6 s) + 300 s
        (16, {"points": 32}),
        (15, {"points": 1}),
        # 10 × (20 s + 3 × 20 × 1 s) + 300 s
        (19, {"points": 10, "budget_s": 1.0, "sizes": 20}),
        (29, {"points": 10, "budget_s": 1.0, "sizes": 20, "locate_jumps": True}),
        # No point takes longer than its limit.
        (55, {"points": 10, "budget_s": 60.0, "sizes": 20}),
    ],
)
def test_without_history_a_measurement_asks_for_what_its_budgets_add_up_to(expected_min, asked):
    assert measuring(**asked) == Need(2000, expected_min)


def allocated(results, attempt, *jobs, journal=0):
    """Minutes of the next submission of an allocation that had `jobs`, at first 100."""
    folder = results / "x" / "hardware" / "1"
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"job": str(number), **job}) for number, job in enumerate(jobs)]
    (folder / JOBS).write_text("".join(f"{line}\n" for line in lines))
    (folder / "journal.jsonl").write_text("{}\n" * journal)
    machine = MachineFile(scheduler="slurm", allocation="one", ranks_per_node=1)
    found = JobNeeds(Need(), {"1": MeasuredShard(Need(2000, 100), 4)}, machine)
    at = SimpleNamespace(experiment="x", engine="hardware", shard="1")
    asking = Resources({"x": found}, results)
    return asking.measure_runtime_min(at, attempt), asking.measure_memory_mb(at, attempt)


def test_an_allocation_whose_time_was_up_lacked_none_if_it_measured_something(tmp_path, slurm):
    late = SETTLED | {"outcome": "terminated", "slurm_state": "TIMEOUT", "host": "node1"}
    first, second = late | {"points_before": 0}, late | {"points_before": 8}
    assert allocated(tmp_path, 1, first, second, journal=20) == (100, 2000)
    assert allocated(tmp_path, 1, first, second, journal=8) == (200, 2000)
    assert allocated(tmp_path, 1, first, first, journal=0) == (400, 2000)


def test_an_allocation_that_lacked_memory_lacked_it_though_it_measured_something(tmp_path, slurm):
    short = SETTLED | {"outcome": "killed", "slurm_state": "OUT_OF_MEMORY", "host": "node1"}
    assert allocated(tmp_path, 1, short | {"points_before": 0}, journal=8) == (100, 4000)
