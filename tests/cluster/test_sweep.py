"""A sweep of 2,000 points on a cluster where everything goes wrong at once."""

import os

import duckdb
import pytest

from tests.cluster.answers import answers
from tests.cluster.conftest import OFTEN, Project
from tests.patience import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.long("cluster")]

POINTS = 2000
#: About 6 CPU seconds in each of 5 shards.
SWEEP = """
title: Sweep
question: Does the cluster answer as one machine does?
defaults:
  - override /topology: fat_tree
  - override /network: gigabit
  - override /workload: uniform
engines: [flow]
engine: {flow: {shard_points: 400}}
topology: {k: 10, levels: 3}
sweep:
  workload.per_node: {from: 8, to: 17}
replicates: 200
"""
#: Fewer than there are shards: what is ready waits for a free place in the queue.
JOBS = ("--jobs", "4")
OUTAGE_S = "12"


def at_work(project):
    """The jobs of the sweep whose shard has begun."""
    begun = {line.get("slurm_job_id") for line in project.starts("sweep")}
    return [job for job in project.cluster.jobs("running") if job["id"] in begun]


@pytest.fixture(scope="module")
def swept(project, cluster):
    """The sweep in images, computed although a job and a node are killed and slurmctld is away."""
    project.take_images("flow")
    project.write("sweep", SWEEP)
    one_core = ("taskset", "--cpu-list", str(min(os.sched_getaffinity(0))))
    command = ("snakemake", "--profile", "slurm", "results/sweep/collected.json", *OFTEN, *JOBS)
    snakemake = project.start(*one_core, *command)
    wait_until(lambda: len({job["nodes"] for job in at_work(project)}) > 1, "two busy nodes")
    project.at_once = jobs = at_work(project)
    cancelled = jobs[0]
    node = next(job["nodes"] for job in jobs if job["nodes"] != cancelled["nodes"])
    lost = [job["id"] for job in jobs if job["nodes"] == node]
    cluster("run", "scancel", cancelled["id"])
    cluster("kill-node", node)
    try:
        cluster("restart-controller", OUTAGE_S)
        project.output = project.finish(snakemake)
        project.lost, project.cancelled = lost, cancelled["id"]
    finally:
        cluster("start-node", node)
    return project


@pytest.fixture(scope="module")
def local(swept, tmp_path_factory):
    """The same sweep on this machine."""
    project = Project(tmp_path_factory.mktemp("local"), swept.cluster)
    project.write("sweep", SWEEP)
    project.local("results/sweep/collected.json")
    return project


def test_nothing_is_lost_or_doubled(swept):
    computed = swept.computed("sweep")
    assert len(computed) == len(set(computed)) == POINTS


def test_the_killed_job_was_submitted_again(swept):
    assert swept.cancelled in swept.output
    assert "CANCELLED" in swept.output


def test_jobs_of_the_lost_node_went_back_into_the_queue(swept, cluster):
    for job in swept.lost:
        shown = cluster("run", "scontrol", "show", "job", job)
        assert "Restarts=1" in shown


def test_the_database_reports_what_happened_to_jobs(swept):
    with duckdb.connect(str(swept.folder / "results/weft.duckdb"), read_only=True) as con:
        query = "SELECT DISTINCT slurm_state FROM jobs WHERE experiment = 'sweep'"
        states = {state for (state,) in con.execute(query).fetchall()}
    assert {"CANCELLED", "REQUEUED"} <= states


def test_the_login_nodes_one_core_limits_no_job(swept):
    assert len(swept.at_once) > 1
    assert {job["cpus"] for job in swept.at_once} == {"2"}


def test_the_database_is_that_of_one_machine(swept, local):
    assert answers(swept.folder, "sweep") == answers(local.folder, "sweep")
