"""Nodes of an allocation that simulate while a narrow point leaves them idle."""

import json

import duckdb
import pytest

from tests.cluster.conftest import NATIVE, OFTEN
from tests.cluster.test_allocation import PROGRAM, write_machine
from tests.cluster.test_other_schedulers import start, write_allocation
from tests.patience import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.long("cluster")]

MINE = ("--config", "machine=shared")
REPLICATES, SIZES = 8, 3
POINTS = SIZES * REPLICATES
#: Where the file lies for which the measured point on one node waits. Simulations know no such
#: variable; those of the most ranks sleep, which takes no simulated time: longer than others take.
GO = "WEFT_TEST_GO"
CONDITION = f"""({{
    const char *go = getenv("{GO}");
    while (go && size == 2 && access(go, F_OK) != 0) usleep(100000);
    if (!go && size == 8) sleep(15);
    0;
}})"""
#: The seed draws the order 2, 8 and 4 ranks: a wide point finds nodes that simulate.
BESIDE = f"""
title: Beside
question: What do idle nodes simulate?
defaults:
  - override /topology: crossbar
  - override /network: gigabit
  - override /workload: alltoall
engines: [flow, hardware]
engine:
  flow: {{shard_points: {REPLICATES}}}
  hardware: {{budget: 0 s, repetitions: 1, min_repetitions: 1, warmup: 0, rounds: 1}}
topology: {{nodes: 8}}
workload: {{program: beside, message_size: null}}
sweep: {{workload.ranks: [2, 4, 8]}}
replicates: {{flow: {REPLICATES}, hardware: 1}}
seed: 1
"""


def write_beside(project, name, folder):
    project.write(name, BESIDE)
    text = PROGRAM.replace("#include <stdio.h>", "#include <stdio.h>\n#include <stdlib.h>")
    file = project.folder / "configs/experiment/beside.c"
    file.write_text(text % CONDITION)
    machine = project.folder / "configs/machine/shared.yaml"
    machine.write_text(
        f"{machine.read_text()}idle_nodes: simulate\nenvironment: {{{GO}: {folder}/go}}\n"
    )


def lines(project, name, file):
    """Of all shards that are simulated: the lines of a file in their folders, as objects."""
    paths = sorted((project.folder / "results" / name / "flow").glob(f"*/{file}"))
    return [json.loads(line) for path in paths for line in path.read_text().splitlines()]


def measured_shard(project, name):
    """The target that measures, and simulates nothing by jobs of its own."""
    orders = (project.folder / "results" / name / "shards").glob("*.json")
    read = [json.loads(path.read_text()) for path in orders]
    (shard,) = (each["shard"] for each in read if each["engine"] == "hardware")
    return f"results/{name}/hardware/{shard}/status.json"


def measured_beside(project, name):
    """How many nodes simulated beside each measured point, by its ranks."""
    with duckdb.connect(str(project.folder / "results/weft.duckdb"), read_only=True) as con:
        rows = con.execute(
            'SELECT "workload.ranks", status, environment FROM runs JOIN parameters'
            " USING (experiment, point_id) WHERE experiment = ? AND runs.engine = 'hardware'",
            [name],
        ).fetchall()
    assert {status for _, status, _ in rows} == {"done"}
    return {ranks: json.loads(text)["allocation"]["simulating"] for ranks, _, text in rows}


def by_slurm(project, target, *options):
    return project.snakemake(target, *MINE, *OFTEN, *NATIVE, *options)


def by_commands(project, target, *options):
    return start(project, target, *MINE, *options, profile="profiles/pbs")


@pytest.mark.parametrize(
    ("write", "begin"),
    [(write_machine, by_slurm), (write_allocation, by_commands)],
    ids=["srun", "mpiexec"],
)
def test_nodes_simulate_beside_a_narrow_point_and_make_room_for_a_wide_one(
    project, cluster, tmp_path, write, begin
):
    name = begin.__name__
    write(project)
    write_beside(project, name, tmp_path)
    collected = f"results/{name}/collected.json"
    # It writes what the shards shall compute.
    project.finish(begin(project, collected, "--dry-run"))
    snakemake = begin(project, measured_shard(project, name))

    def simulated():
        return [line["digest"] for line in lines(project, name, "journal.jsonl")]

    narrow = "all simulations but those that sleep"
    wait_until(lambda: len(simulated()) >= POINTS - REPLICATES, narrow)
    # One submission, whose first node is measured.
    (running,) = cluster.jobs("running,pending")
    starts = [each for each in lines(project, name, "jobs.jsonl") if "host" in each]
    assert {each["host"] for each in starts} <= {"node2", "node3", "node4"}
    assert {each["slurm_job_id"] for each in starts} == {running["id"]}
    (tmp_path / "go").touch()
    project.finish(snakemake)
    # A wide point, or the end of the job, has ended those that slept.
    assert len(before := simulated()) < POINTS

    project.finish(begin(project, collected))
    assert len(simulated()) == len(set(simulated())) == POINTS
    assert set(before) < set(simulated())
    assert measured_beside(project, name) == {2: 3, 4: 2, 8: 0}
