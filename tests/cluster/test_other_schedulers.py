"""A cluster that is reached by commands alone: `profiles/cluster` with Slurm's instead of qsub."""

import json
import signal
from operator import itemgetter

import duckdb
import pytest

from tests.cluster.conftest import NATIVE, interrupt
from tests.cluster.test_allocation import ONCE, measured, write_sleepy
from tests.patience import PATIENCE_S, wait_until

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
#: As many jobs as wait at once.
MANY = SWEPT.replace("100}", "1}").replace("k: 16", "k: 4").replace("200", "100")
SUBMIT = (
    "sbatch --parsable --nodes={resources.nodes} --ntasks-per-node={resources.slots_per_node} "
    "--mem={resources.mem_mb} --time={resources.runtime} --output=/dev/null "
    "--job-name=$SNAKEMAKE_CLUSTER_SIDECAR_VARS"
)
LIST = "profiles/cluster/status squeue --noheader --format=%i"
COMMANDS = (
    *("--cluster-generic-submit-cmd", SUBMIT, "--cluster-generic-status-cmd", LIST),
    *("--cluster-generic-cancel-cmd", "scancel", "--seconds-between-status-checks", "2"),
)
SIDECAR = "#!/bin/sh\nexec profiles/cluster/end_jobs 'scancel --name=\"$name\"'\n"


def start(project, target, *options, profile="profiles/cluster"):
    (project.folder / profile / "sidecar").write_text(SIDECAR)
    command = ("snakemake", "--profile", profile, target)
    return project.start(*command, *COMMANDS, *NATIVE, *options)


def write_allocation(project):
    """A machine file with two ranks on a node, and all measurements in one submission."""
    text = (project.folder / "configs/machine/cluster.yaml").read_text()
    text = text.replace("ranks_per_node: 1", "ranks_per_node: 2\nallocation: one")
    (project.folder / "configs/machine/shared.yaml").write_text(text)


def test_an_mpi_program_runs_on_two_nodes_by_a_host_file(project):
    project.write("commanded", COMMANDED)
    project.finish(start(project, "results/commanded/collected.json"))
    with duckdb.connect(str(project.folder / "results/weft.duckdb"), read_only=True) as con:
        [(status, text)] = con.execute("SELECT status, environment FROM runs").fetchall()
    environment = json.loads(text)
    assert (status, environment["hosts"]) == ("done", ["node1", "node2"])
    assert "-f " in environment["command"]


def test_points_are_steps_of_one_submission_and_the_next_goes_on(project, cluster, tmp_path):
    write_allocation(project)
    write_sleepy(project, "steps", ONCE.format(tmp_path))
    snakemake = start(project, "results/steps/collected.json", "--config", "machine=shared")
    wait_until((tmp_path / "slow").exists, "a point that sleeps")
    (running,) = cluster.jobs("running")
    # Two processors on each of four nodes.
    assert running["cpus"] == "8"
    cluster("run", "scancel", running["id"])
    project.finish(snakemake)

    computed = project.computed("steps")
    assert len(computed) == len(set(computed)) == 3
    jobs = [line for line in project.starts("steps") if "host" in line]
    assert [line["points_before"] for line in jobs] == [0, 1]
    numbers = [line["slurm_job_id"] for line in jobs]
    assert (numbers[0], len(set(numbers))) == (running["id"], 2)
    found = measured(project, "steps")
    for ranks, (status, _, facts) in found.items():
        first = [f"node{number}" for number in range(1, ranks // 2 + 1)]
        assert (status, sorted(set(facts["hosts"]))) == ("done", first)
    steps = sorted((facts["allocation"] for *_, facts in found.values()), key=itemgetter("step"))
    assert [(each["step"], each["steps"], each["nodes"]) for each in steps] == [
        (number, 3, 4) for number in (1, 2, 3)
    ]
    assert list(dict.fromkeys(each["job"] for each in steps)) == numbers


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


def test_no_job_is_left_where_a_run_is_interrupted_while_it_asks_about_its_jobs(project, cluster):
    project.write("many", MANY)
    # One job after the other, so that it always asks about some.
    slowly = ("--max-status-checks-per-second", "1")
    noted = ("--cluster-generic-status-cmd", f"touch asked && {LIST}")
    snakemake = start(project, "results/many/collected.json", *slowly, *noted)
    wait_until((project.folder / "asked").exists, "a question")
    interrupt(snakemake, signal.SIGINT)
    snakemake.communicate(timeout=PATIENCE_S)
    wait_until(lambda: not cluster.jobs("pending,running,completing"), "no job that is left")
    assert len(project.computed("many")) < 100
