"""A cluster with slurmdbd: `sacct` knows what the controller has forgotten, and limits count."""

import shutil

import pytest

from tests.cluster.conftest import NATIVE, OFTEN, Cluster, Project
from tests.missing import missing

pytestmark = [pytest.mark.slow, pytest.mark.long("cluster")]

#: Two shards of different length.
TWO = """
title: Two
question: Does accounting change anything?
defaults:
  - override /topology: fat_tree
  - override /network: gigabit
  - override /workload: uniform
engines: [flow]
engine: {flow: {shard_points: 100}}
topology: {levels: 3}
sweep:
  topology.k: [4, 12]
replicates: 100
"""
#: Longer than the controller remembers an ended job: it drops them once a minute.
SELDOM = ("--weft-slurm-init-seconds-before-status-checks", "70")


@pytest.fixture(scope="module")
def accounted(cluster, tmp_path_factory):
    """A second cluster, beside the first; only this one has accounting, and it forgets soon."""
    if absent := [name for name in ("slurmdbd", "mariadbd") if not shutil.which(name)]:
        missing(f"not installed: {', '.join(absent)}")
    found = Cluster(tmp_path_factory.mktemp("accounted") / "state")
    size = ("--nodes", "1", "--cpus", "8", "--memory", "8000")
    found("up", *size, "--accounting", "--configure", "MinJobAge=2")
    yield found
    found("down")


def test_jobs_that_the_controller_has_forgotten_are_followed_by_sacct(accounted, tmp_path):
    project = Project(tmp_path / "project", accounted)
    project.write("two", TWO)
    command = ("results/two/collected.json", *SELDOM, *NATIVE, "--latency-wait", "1")
    output = project.finish(project.snakemake(*command))
    assert accounted.jobs() == []
    assert "Error in rule" not in output
    assert len(set(project.computed("two"))) == 200


def test_jobs_above_the_limit_of_an_account_are_submitted_when_others_end(accounted, tmp_path):
    project = Project(tmp_path / "project", accounted)
    project.write("two", TWO)
    modify = ("sacctmgr", "--immediate", "modify", "user", "root", "set")
    accounted("run", *modify, "MaxSubmitJobs=1")
    command = ("results/two/collected.json", *OFTEN, *NATIVE, "--retries", "0")
    output = project.finish(project.snakemake(*command))
    accounted("run", *modify, "MaxSubmitJobs=-1")
    assert "Slurm takes no job now (AssocMaxSubmitJobLimit)" in output
    assert "Error in rule" not in output
    assert len(set(project.computed("two"))) == 200
