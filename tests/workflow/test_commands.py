"""The page of a name like the index, and a plan of 10,000 points."""

import resource
import shutil

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


def test_a_name_that_begins_like_the_index_has_a_page(project):
    project.small("indexing", [3])
    outcome = project.run("reports/indexing.html", "reports/index.html", "-n")
    assert outcome.code == 0, outcome.output
    assert outcome.jobs.keys() >= {"report", "index"}


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
