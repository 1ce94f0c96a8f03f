"""Snakemake itself is interrupted or killed, and started again."""

import signal

import duckdb
import pytest

from tests.cluster.conftest import NATIVE, OFTEN, interrupt, wait_until

pytestmark = pytest.mark.slow

POINTS = 600
#: About 8 CPU seconds in each of 2 shards.
SLOW = """
title: Interrupted
question: Does it go on?
defaults:
  - override /topology: fat_tree
  - override /network: gigabit
  - override /workload: uniform
engines: [flow]
engine: {flow: {shard_points: 300}}
topology: {k: 12, levels: 3}
replicates: 600
"""
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
    wait_until(lambda: len(unfinished(cluster)) > 2, 30, "jobs of the second run")
    interrupt(interrupted, signal.SIGINT)
    interrupted.communicate(timeout=60)
    assert interrupted.returncode != 0

    project.finish(project.snakemake(*COMMAND))
    computed = project.computed("interrupted")
    assert len(computed) == len(set(computed)) == POINTS
    with duckdb.connect(str(project.folder / "results/weft.duckdb"), read_only=True) as con:
        rows = con.execute("SELECT count(*), count(DISTINCT point_id) FROM runs").fetchall()
    assert rows == [(POINTS, POINTS)]
