"""Snakemake's scheduler wakes when a job ends, and not ever more often."""

from __future__ import annotations

import re

import pytest

from tests.workflow.conftest import Outcome, Project

pytestmark = pytest.mark.slow

SHARDS = 12
#: A job that ends wakes the scheduler, and so may the job that this makes ready.
MOST_OF_A_JOB = 2


def collected(project: Project, name: str, shards: int, *arguments: str) -> Outcome:
    """A run of an experiment of so many shards, and what the scheduler prints."""
    path = project.small(name, [2])
    more = f"replicates: {shards}\nengine: {{flow: {{shard_points: 1}}}}\n"
    path.write_text(path.read_text() + more)
    found = project.collect(name, *arguments, "--verbose")
    assert found.code == 0, found.output
    return found


def test_the_scheduler_looks_at_its_jobs_when_one_of_them_ends(project: Project) -> None:
    found = collected(project, "many", SHARDS, "--cores", "1")
    assert found.jobs["simulate"] == SHARDS
    looks = found.output.count("Resources before job selection")
    assert 0 < looks <= MOST_OF_A_JOB * (SHARDS + 1)


@pytest.mark.long("runs")
@pytest.mark.parametrize(
    ("name", "limit"),
    [("jobs", ["--jobs", "1"]), ("rate", ["--cores", "4", "--max-jobs-per-timespan", "1/1s"])],
)
def test_a_limit_of_jobs_that_somebody_asked_for_holds(
    project: Project, name: str, limit: list[str]
) -> None:
    """All shards are ready when the scheduler looks for the first time."""
    shards = 3
    found = collected(project, name, shards, *limit)
    assert f"Ready jobs: {shards}\n" in found.output
    started = re.findall(r"^Selected jobs: (\d+)$", found.output, re.MULTILINE)
    assert len(started) > shards
    assert set(started) <= {"0", "1"}


@pytest.mark.long("runs")
def test_without_a_limit_of_jobs_several_start_at_once(project: Project) -> None:
    found = collected(project, "unlimited", 3, "--cores", "4")
    assert "\nSelected jobs: 3\n" in found.output
