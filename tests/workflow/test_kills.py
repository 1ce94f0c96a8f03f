"""kill -9 in the middle of a shard, then the same command again."""

import os
import signal

import pytest

from tests.patience import PATIENCE_S, wait_until
from tests.workflow.conftest import collections_wait

pytestmark = [pytest.mark.slow, pytest.mark.long("runs")]

POINTS = 100
FINISHED = 5
# About 4 CPU seconds in one shard.
SLOW = """
title: Slow
question: Can it be killed?
defaults:
  - override /topology: fat_tree
  - override /network: gigabit
  - override /workload: uniform
engines: [flow]
engine: {flow: {shard_points: 100}}
topology: {k: 16, levels: 3}
replicates: 100
"""


def kill(pid):
    os.kill(pid, signal.SIGKILL)


def check_nothing_lost_or_doubled(project, name, lines):
    again = project.collect(name)
    assert again.code == 0, again.output
    [journal] = project.journals(name).values()
    assert journal[: len(lines)] == lines
    computed = project.computed(name)
    assert len(computed) == len(set(computed)) == POINTS
    assert project.stamp(name)["done"] == POINTS


def test_killed_simulator(project):
    project.write("killed", SLOW)
    snakemake = project.start("results/killed/collected.json")
    project.wait_for_lines("killed", FINISHED)
    [simulator] = project.simulator_pids()
    kill(simulator)
    output, _ = snakemake.communicate(timeout=PATIENCE_S)
    assert snakemake.returncode == 1
    assert "killed by signal 9" in output
    lines = project.wait_for_lines("killed", FINISHED)
    assert len(lines) < POINTS
    check_nothing_lost_or_doubled(project, "killed", lines)


def test_killed_snakemake_whose_simulator_goes_on(project):
    project.write("orphaned", SLOW)
    snakemake = project.start("results/orphaned/collected.json")
    project.wait_for_lines("orphaned", FINISHED)
    kill(snakemake.pid)
    snakemake.communicate(timeout=PATIENCE_S)
    lines = project.wait_for_lines("orphaned", FINISHED)
    check_nothing_lost_or_doubled(project, "orphaned", lines)


def test_killed_simulator_and_snakemake(project):
    project.write("lost", SLOW)
    snakemake = project.start("results/lost/collected.json")
    project.wait_for_lines("lost", FINISHED)
    kill(snakemake.pid)
    for simulator in project.simulator_pids():
        kill(simulator)
    snakemake.communicate(timeout=PATIENCE_S)
    wait_until(lambda: not project.simulator_pids())
    lines = project.wait_for_lines("lost", FINISHED)
    # What a kill leaves in the middle of a write.
    [journal] = project.journals("lost")
    with journal.open("a") as file:
        file.write('{"point_id": "torn')
    check_nothing_lost_or_doubled(project, "lost", lines)


def test_what_a_killed_run_has_finished_counts_at_once(project):
    project.write("partly", SLOW)
    snakemake = project.start("results/partly/collected.json")
    project.wait_for_lines("partly", FINISHED)
    kill(snakemake.pid)
    for simulator in project.simulator_pids():
        kill(simulator)
    snakemake.communicate(timeout=PATIENCE_S)
    wait_until(lambda: not project.simulator_pids())
    lines = project.wait_for_lines("partly", FINISHED)
    assert len(lines) < POINTS
    for _ in range(2):
        partial = project.collect("partly", "--config", "partial=true")
        assert partial.code == 0, partial.output
        assert "simulate" not in partial.jobs
        found = project.stamp("partly")
        assert (found["done"], found["missing"]) == (len(lines), POINTS - len(lines))
    whole = project.collect("partly")
    assert whole.code == 0, whole.output
    computed = project.computed("partly")
    assert len(computed) == len(set(computed)) == POINTS
    assert {line for journal in project.journals("partly").values() for line in journal} >= {*lines}
    assert project.stamp("partly")["done"] == POINTS


def test_a_second_run_of_an_experiment_is_refused_and_one_of_another_goes_on(project):
    project.write("busy", SLOW)
    project.small("beside", [3, 4])
    with collections_wait(project.folder / "results"):
        snakemake = project.start("results/busy/collected.json")
        project.wait_for_lines("busy", 1)
        beside = project.start("results/beside/collected.json")
        second = project.collect("busy")
    assert second.code == 1
    assert second.output.splitlines()[-1].startswith(
        f"weft: another weft is running busy (process {snakemake.pid} of "
    )
    for run in (beside, snakemake):
        output, _ = run.communicate(timeout=PATIENCE_S)
        assert run.returncode == 0, output
    assert project.stamp("beside")["done"] == 2
    assert project.stamp("busy")["done"] == POINTS
