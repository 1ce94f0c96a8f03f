"""A cluster with slurmdbd, where Snakemake asks `sacct`."""

import shutil

import pytest

from tests.cluster.conftest import NATIVE, OFTEN, Cluster, Project
from tests.containers_support import missing

pytestmark = pytest.mark.slow

#: Two shards of different length: the states of an array's tasks must not be mixed up. (If they
#: are, the longer one counts as done, without its outputs, when it is the array's first.)
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


@pytest.fixture
def accounted(cluster, tmp_path):
    """A second cluster, beside the first; only this one has accounting."""
    if absent := [name for name in ("slurmdbd", "mariadbd") if not shutil.which(name)]:
        missing(f"not installed: {', '.join(absent)}")
    found = Cluster(tmp_path / "state")
    found("up", "--nodes", "1", "--cpus", "8", "--memory", "8000", "--accounting")
    yield found
    found("down")


def test_an_array_is_followed_by_sacct(accounted, tmp_path):
    project = Project(tmp_path / "project", accounted)
    project.write("two", TWO)
    target = "results/two/collected.json"
    command = (target, *OFTEN, *NATIVE, "--slurm-status-command", "sacct", "--latency-wait", "1")
    output = project.finish(project.snakemake(*command))
    assert "Submitted array job" in output
    assert "Error in rule" not in output
    assert len(set(project.computed("two"))) == 200
