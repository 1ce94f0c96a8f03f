"""Snakemake inside a job: `sbatch profiles/slurm/driver.sh`."""

import shutil

import pytest

from tests.cluster.conftest import NATIVE, OFTEN
from tests.patience import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.long("cluster")]

DRIVEN = """
title: Driven
question: Does a job submit jobs?
defaults:
  - override /topology: torus
  - override /network: gigabit
  - override /workload: uniform
engines: [flow]
topology: {k: 2, dimensions: 2}
"""


def test_it_computes_where_no_results_are_yet_and_its_log_is_beside_the_snakefile(project):
    project.write("driven", DRIVEN)
    shutil.rmtree(project.folder / "results")
    target = "results/driven/collected.json"
    driver = ("sbatch", "--parsable", "profiles/slurm/driver.sh")
    number = project.finish(project.start(*driver, target, *OFTEN, *NATIVE)).strip()
    log = project.folder / f"weft-{number}.log"
    wait_until(lambda: log.exists() and "driven: 1 point: 1 done" in log.read_text(), "the result")
