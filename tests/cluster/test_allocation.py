"""Snakemake in a job: `sbatch driver.sh`, for sites that end long processes on login nodes."""

import pytest

from tests.cluster.conftest import NATIVE, OFTEN, wait_until

pytestmark = pytest.mark.slow

POINTS = 20
TARGET = "results/driven/collected.json"
SMALL = """
title: Driven
question: Does a job submit jobs?
defaults:
  - override /topology: torus
  - override /network: gigabit
  - override /workload: uniform
engines: [flow]
engine: {flow: {shard_points: 10}}
topology: {dimensions: 2, k: 4}
replicates: 20
"""


def test_a_job_may_be_what_submits_the_jobs(project, cluster):
    project.write("driven", SMALL)
    command = ("sbatch", "--parsable", "profiles/slurm/driver.sh", TARGET, *OFTEN, *NATIVE)
    number = project.finish(project.start(*command)).strip()

    def state():
        return next((job["state"] for job in cluster.jobs() if job["id"] == number), "gone")

    wait_until(lambda: state() not in ("PENDING", "RUNNING", "COMPLETING"), 90, "the driver")
    assert state() == "COMPLETED", (project.folder / f"results/driver-{number}.log").read_text()
    computed = project.computed("driven")
    assert len(computed) == len(set(computed)) == POINTS
