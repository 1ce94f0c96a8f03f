"""Snakemake itself is interrupted or killed, and started again."""

import signal

import duckdb
import pytest
from weft.interrupt import RESUMES

from tests.cluster.conftest import NATIVE, OFTEN, interrupt
from tests.patience import PATIENCE_S, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.long("cluster")]

POINTS = 600
#: About 14 CPU seconds in each of 2 shards: longer than a Snakemake takes to start.
SLOW = """
title: Interrupted
question: Does it go on?
defaults:
  - override /topology: fat_tree
  - override /network: gigabit
  - override /workload: uniform
engines: [flow]
engine: {flow: {shard_points: 300}}
topology: {k: 16, levels: 3}
replicates: 600
"""
#: As many jobs as wait at once.
MANY = (
    SLOW.replace("Interrupted", "Many")
    .replace("shard_points: 300", "shard_points: 1")
    .replace("replicates: 600", "replicates: 100")
    .replace("k: 16", "k: 4")
)
CANCELLED = SLOW.replace("Interrupted", "Cancelled").replace("600", "400").replace("300", "200")
COMMAND = ("results/interrupted/collected.json", *OFTEN, *NATIVE)


def unfinished(cluster):
    return cluster.jobs("pending,running,completing")


def test_killed_and_interrupted_snakemake_goes_on(project, cluster):
    project.write("interrupted", SLOW)

    killed = project.snakemake(*COMMAND)
    project.wait_for_points("interrupted", 5)
    interrupt(killed, signal.SIGKILL)
    killed.communicate()
    # Its jobs go on; those of the next one wait for them.
    assert unfinished(cluster)

    interrupted = project.snakemake(*COMMAND)
    before = len(project.computed("interrupted"))
    project.wait_for_points("interrupted", before + 5)
    wait_until(lambda: len(unfinished(cluster)) > 2, "jobs of the second run")
    interrupt(interrupted, signal.SIGINT)
    interrupted.communicate(timeout=PATIENCE_S)
    assert interrupted.returncode != 0

    project.finish(project.snakemake(*COMMAND))
    computed = project.computed("interrupted")
    assert len(computed) == len(set(computed)) == POINTS
    with duckdb.connect(str(project.folder / "results/weft.duckdb"), read_only=True) as con:
        rows = con.execute("SELECT count(*), count(DISTINCT point_id) FROM runs").fetchall()
    assert rows == [(POINTS, POINTS)]


def test_no_job_is_left_where_a_run_is_interrupted_while_it_submits(project, cluster):
    project.write("many", MANY)
    interrupted = project.snakemake("results/many/collected.json", *OFTEN, *NATIVE)
    wait_until(lambda: len(unfinished(cluster)) >= 5, "the first jobs")
    interrupt(interrupted, signal.SIGINT)
    output, _ = interrupted.communicate(timeout=PATIENCE_S)
    assert "has been submitted" in output
    # A dozen jobs that Slurm takes meanwhile, and no error for each that is cancelled.
    ending = output.partition("Terminating processes on user request")[2].splitlines()
    assert len(ending) < 20, output
    assert "Error in rule" not in output
    assert ending[-2].startswith("many: 100 points: ")
    assert ending[-1] == f"weft: {RESUMES}"
    wait_until(lambda: not unfinished(cluster), "the end of all jobs")


def test_a_cancelled_job_comes_back_as_it_was(project, cluster):
    project.write("cancelled", CANCELLED)
    earlier = {job["id"] for job in cluster.jobs()}
    snakemake = project.snakemake("results/cancelled/collected.json", *OFTEN, *NATIVE)
    project.wait_for_points("cancelled", 5)
    begun = [line["slurm_job_id"] for line in project.starts("cancelled") if "host" in line]
    cluster("run", "scancel", begun[0])
    project.finish(snakemake)
    jobs = [job for job in cluster.jobs() if job["id"] not in earlier]
    assert sorted(job["state"] for job in jobs) == ["CANCELLED", "COMPLETED", "COMPLETED"]
    assert {job["memory"] for job in jobs} == {"2000M"}
    with duckdb.connect(str(project.folder / "results/weft.duckdb"), read_only=True) as con:
        query = "SELECT slurm_job_id FROM jobs WHERE slurm_state = 'CANCELLED'"
        rows = con.execute(f"{query} AND experiment = 'cancelled'").fetchall()
    assert rows == [(begun[0],)]
