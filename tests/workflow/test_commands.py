"""The other commands: plan, overrides, lint, and a plan of 10,000 points."""

import re
import resource
import shutil

import duckdb
import pytest

pytestmark = [pytest.mark.slow, pytest.mark.long("runs")]

BIG = """
title: Big
question: Is planning quick?
defaults:
  - override /topology: torus
  - override /network: gigabit
  - override /workload: uniform
engines: [flow]
topology: {dimensions: 2}
sweep:
  topology.k: {from: 3, to: 52}
replicates: 200
"""


def test_plan_prints_what_would_run(project):
    project.small("planned", [3, 4])
    arguments = ("plan", "--config", "experiments=[planned]")
    before = project.run(*arguments)
    assert re.search(r"^planned +flow +2 +1 +2 +0 +0 +0 +0$", before.output, re.MULTILINE)
    assert project.computed("planned") == []
    assert project.collect("planned").code == 0
    after = project.run(*arguments)
    assert re.search(r"^planned +flow +2 +1 +0 +2 +0 +0 +0$", after.output, re.MULTILINE)


def test_overrides_reach_the_points(project):
    project.small("changed", [3])
    outcome = project.collect("changed", "--config", "overrides=[workload.per_node=3]")
    assert outcome.code == 0, outcome.output
    with duckdb.connect(str(project.folder / "results/weft.duckdb"), read_only=True) as con:
        rows = con.execute(
            """SELECT DISTINCT "workload.per_node" FROM answers
               WHERE experiment = 'changed@workload.per_node=3'"""
        ).fetchall()
    assert rows == [(3,)]


def test_a_name_that_begins_like_the_index_has_a_page(project):
    project.small("indexing", [3])
    outcome = project.run("reports/indexing.html", "reports/index.html", "-n")
    assert outcome.code == 0, outcome.output
    assert outcome.jobs.keys() >= {"report", "index"}


def test_lint_is_clean(project):
    project.small("linted", [3])
    outcome = project.run("--lint")
    assert outcome.code == 0, outcome.output


def test_ten_thousand_points_are_planned_in_seconds(project):
    experiment = project.write("big", BIG)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    outcome = project.collect("big", "-n")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    experiment.unlink()
    shutil.rmtree(project.folder / "results" / "big")
    assert outcome.code == 0, outcome.output
    assert outcome.jobs["simulate"] <= 99
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    # 5 s are promised on a quiet machine.
    assert used < 10
