"""All measurements of an experiment as steps of one allocation, which is killed, ends by its time
limit, and has steps that hang."""

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
#: Three points, on 1, 2 and 4 nodes, of a program that waits for its rank 0, which may sleep longer
#: than any test.
SLEEPY = SHARED.replace(f"replicates: {POINTS // 3}", "replicates: 1").replace(
    "{message_size: 8 B}", "{program: sleepy, message_size: null}"
)
PROGRAM = """
#include <mpi.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0 && (%s)) sleep(600);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""
#: One folder for the first point, another one for the next: whoever makes that one sleeps.
ONCE = """({{ char mine[200];
        snprintf(mine, sizeof mine, "{0}/%d", size);
        mkdir(mine, 0777) == 0 && mkdir("{0}/first", 0777) != 0 && mkdir("{0}/slow", 0777) == 0;
    }})"""


@pytest.fixture
def shared(project):
    write_machine(project)
    project.write("shared", SHARED)
    return project


def write_machine(project, timeout="10 min"):
    machine = MACHINE.replace("ranks_per_node: 1", "ranks_per_node: 2").replace("10 min", timeout)
    file = project.folder / "configs" / "machine" / "shared.yaml"
    file.write_text(f"{machine}ranks: 64\nallocation: one\n")


def write_sleepy(project, name, condition):
    project.write(name, SLEEPY)
    (project.folder / "configs/experiment/sleepy.c").write_text(PROGRAM % condition)


def command(name):
    return f"results/{name}/collected.json", "--config", "machine=shared"


def measured(project, name):
    """By ranks: how a point ended, and what is noted of it."""
    with duckdb.connect(str(project.folder / "results/weft.duckdb"), read_only=True) as con:
        rows = con.execute(
            'SELECT "workload.ranks", status, error, environment FROM runs'
            " JOIN parameters USING (experiment, point_id) WHERE experiment = ?",
            [name],
        ).fetchall()
    return {ranks: (status, error, json.loads(text)) for ranks, status, error, text in rows}


def test_sixty_points_on_one_two_and_four_nodes_survive_two_kills_of_their_allocation(shared):
    snakemake = shared.snakemake(*command("shared"), *OFTEN, *NATIVE)
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


def test_the_time_limit_of_an_allocation_loses_only_the_point_that_ran(project, cluster, tmp_path):
    write_machine(project)
    write_sleepy(project, "late", ONCE.format(tmp_path))
    # The next submission uses up no retry.
    snakemake = project.snakemake(*command("late"), *OFTEN, *NATIVE, "--retries", "0")
    wait_until((tmp_path / "slow").exists, "a point that sleeps")
    before = project.computed("late")
    (running,) = cluster.jobs("running")
    # As in test_limits.py: sooner than after a whole minute.
    cluster("run", "scontrol", "update", f"JobId={running['id']}", "EndTime=now+5")
    output = project.finish(snakemake)

    assert f"the time of Slurm job {running['id']} was up; the next job goes on" in output
    (state,) = (job["state"] for job in cluster.jobs() if job["id"] == running["id"])
    assert state == "TIMEOUT"
    computed = project.computed("late")
    assert (len(before), computed[:1], len(set(computed)), len(computed)) == (1, before, 3, 3)
    jobs = [line for line in project.starts("late") if "host" in line]
    assert [line["points_before"] for line in jobs] == [0, 1]
    assert {status for status, _, _ in measured(project, "late").values()} == {"done"}


def test_a_step_that_hangs_ends_by_its_own_limit_and_the_others_go_on(project, tmp_path):
    write_machine(project, timeout="30 s")
    write_sleepy(project, "hung", f'mkdir("{tmp_path}/first", 0777) == 0')
    project.finish(project.snakemake(*command("hung"), *OFTEN, *NATIVE))

    found = measured(project, "hung").values()
    by_step = sorted(found, key=lambda each: each[2]["allocation"]["step"])
    hung = ("failed", "sleepy did not end within 30 s and was stopped")
    assert [each[:2] for each in by_step] == [hung, ("done", None), ("done", None)]
    assert len({facts["allocation"]["job"] for _, _, facts in found}) == 1
