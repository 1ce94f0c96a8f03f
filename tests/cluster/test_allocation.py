"""All measurements of an experiment as steps of one allocation, which is killed twice."""

import json
from random import Random

import duckdb
import pytest

from tests.cluster.conftest import NATIVE, OFTEN
from tests.cluster.test_placement import MACHINE
from tests.patience import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.long("cluster")]

SEED, POINTS, KILLS = 5, 60, 2
#: Of 1, 2 and 4 nodes with two ranks on each. A point is one start of a program with one
#: repetition: eight ranks wait for each other on what processors the machine has.
SHARED = f"""
title: Shared
question: What is measured in one allocation that is killed twice?
defaults: [override /workload: alltoall]
engines: [hardware]
engine: {{hardware: {{budget: 0 s, repetitions: 1, min_repetitions: 1, warmup: 0, rounds: 1}}}}
workload: {{message_size: 8 B}}
sweep: {{workload.ranks: [2, 4, 8]}}
replicates: {POINTS // 3}
seed: {SEED}
"""


@pytest.fixture
def shared(project):
    machine = MACHINE.replace("ranks_per_node: 1", "ranks_per_node: 2")
    file = project.folder / "configs" / "machine" / "shared.yaml"
    file.write_text(f"{machine}ranks: 64\nallocation: one\n")
    project.write("shared", SHARED)
    return project


def test_sixty_points_on_one_two_and_four_nodes_survive_two_kills_of_their_allocation(shared):
    command = ("results/shared/collected.json", "--config", "machine=shared", *OFTEN, *NATIVE)
    snakemake = shared.snakemake(*command)
    killed: list[str] = []
    for _ in range(KILLS):
        shared.wait_for_points("shared", len(shared.computed("shared")) + 5)
        (running,) = shared.cluster.jobs("running")
        # Whole nodes of four processors.
        assert running["cpus"] == "16"
        shared.cluster("run", "scancel", running["id"])
        killed.append(running["id"])
        wait_until(lambda: not shared.cluster.jobs("running,completing"), "the end of the job")
    assert len(shared.computed("shared")) < POINTS
    shared.finish(snakemake)

    computed = shared.computed("shared")
    assert len(computed) == len(set(computed)) == POINTS
    # By the history: Slurm soon forgets jobs.
    jobs = [line["slurm_job_id"] for line in shared.starts("shared") if "host" in line]
    assert (jobs[:KILLS], len(jobs)) == (killed, KILLS + 1)
    with duckdb.connect(str(shared.folder / "results/weft.duckdb"), read_only=True) as con:
        rows = con.execute(
            'SELECT point_id, "workload.ranks", status, environment FROM runs'
            " JOIN parameters USING (experiment, point_id) ORDER BY started_at"
        ).fetchall()
        ends = con.execute("SELECT outcome FROM jobs ORDER BY started_at").fetchall()
    assert ends == [("terminated",)] * KILLS + [("done",)]
    assert [row[2] for row in rows] == ["done"] * POINTS
    steps = [json.loads(row[3])["allocation"] for row in rows]
    assert [step["step"] for step in steps] == list(range(1, POINTS + 1))
    assert {(step["nodes"], step["steps"]) for step in steps} == {(4, POINTS)}
    assert list(dict.fromkeys(step["job"] for step in steps)) == jobs
    drawn = sorted(row[0] for row in rows)
    Random(SEED).shuffle(drawn)
    assert [row[0] for row in rows] == drawn
    for _, ranks, _, environment in rows:
        first = [f"node{number}" for number in range(1, ranks // 2 + 1)]
        assert sorted(set(json.loads(environment)["hosts"])) == first
