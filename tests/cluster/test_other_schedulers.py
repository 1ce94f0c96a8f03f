"""A cluster that is reached by commands alone: `profiles/cluster` with Slurm's instead of qsub."""

import json

import duckdb
import pytest

from tests.cluster.conftest import NATIVE
from tests.patience import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.long("cluster")]

COMMANDED = """
title: Commanded
question: Does any batch system do?
defaults:
  - override /topology: crossbar
  - override /network: gigabit
  - override /workload: pingpong
engines: [hardware]
workload: {message_size: [8 B, 64 KiB]}
"""
SWEPT = """
title: Swept
question: Does any batch system do?
defaults:
  - override /topology: fat_tree
  - override /network: gigabit
  - override /workload: uniform
engines: [flow]
engine: {flow: {shard_points: 100}}
topology: {k: 16, levels: 3}
replicates: 200
"""
SUBMIT = (
    "sbatch --parsable --nodes={resources.nodes} --ntasks-per-node={resources.slots_per_node} "
    "--mem={resources.mem_mb} --time={resources.runtime} --output=/dev/null --job-name=commanded"
)
LIST = "profiles/cluster/status squeue --noheader --format=%i"
COMMANDS = (
    *("--cluster-generic-submit-cmd", SUBMIT, "--cluster-generic-status-cmd", LIST),
    *("--cluster-generic-cancel-cmd", "scancel", "--seconds-between-status-checks", "2"),
)


def start(project, target):
    profile = ("snakemake", "--profile", "profiles/cluster", target)
    return project.start(*profile, *COMMANDS, *NATIVE)


def test_an_mpi_program_runs_on_two_nodes_by_a_host_file(project):
    project.write("commanded", COMMANDED)
    project.finish(start(project, "results/commanded/collected.json"))
    with duckdb.connect(str(project.folder / "results/weft.duckdb"), read_only=True) as con:
        [(status, text)] = con.execute("SELECT status, environment FROM runs").fetchall()
    environment = json.loads(text)
    assert (status, environment["hosts"]) == ("done", ["node1", "node2"])
    assert "-f " in environment["command"]


def test_a_job_that_is_cancelled_is_submitted_again(project, cluster):
    project.write("swept", SWEPT)
    snakemake = start(project, "results/swept/collected.json")
    project.wait_for_points("swept", 5)
    running = cluster.jobs("running")
    cluster("run", "scancel", running[0]["id"])
    project.finish(snakemake)
    computed = project.computed("swept")
    assert len(computed) == len(set(computed)) == 200
    wait_until(lambda: not cluster.jobs("pending,running"), "no job that is left")
