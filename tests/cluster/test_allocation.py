"""Snakemake in a job: `sbatch driver.sh`, for sites that end long processes on login nodes."""

import pytest

from tests.cluster.conftest import NATIVE, OFTEN, wait_until

pytestmark = pytest.mark.slow

POINTS = 20
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
DRIVER = """#!/bin/bash
#SBATCH --cpus-per-task=1 --mem=1000 --time=10 --output=driver.log
snakemake --profile slurm results/driven/collected.json """


def test_a_job_may_be_what_submits_the_jobs(project, cluster):
    project.write("driven", SMALL)
    (project.folder / "driver.sh").write_text(DRIVER + " ".join((*OFTEN, *NATIVE)) + "\n")
    number = project.finish(project.start("sbatch", "--parsable", "driver.sh")).strip()

    def state():
        return next((job["state"] for job in cluster.jobs() if job["id"] == number), "gone")

    wait_until(lambda: state() not in ("PENDING", "RUNNING", "COMPLETING"), 90, "the driver")
    assert state() == "COMPLETED", (project.folder / "driver.log").read_text()
    computed = project.computed("driven")
    assert len(computed) == len(set(computed)) == POINTS
