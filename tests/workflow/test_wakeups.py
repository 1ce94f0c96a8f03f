"""Snakemake's scheduler wakes when a job ends, and not ever more often."""

from __future__ import annotations

import pytest

from tests.workflow.conftest import Project

pytestmark = pytest.mark.slow

SHARDS = 12
#: A job that ends wakes the scheduler, and so may the job that this makes ready.
MOST_OF_A_JOB = 2


def test_the_scheduler_looks_at_its_jobs_when_one_of_them_ends(project: Project) -> None:
    project.small("many", [2])
    path = project.folder / "configs/experiment/many.yaml"
    path.write_text(
        f"{path.read_text()}replicates: {SHARDS}\nengine: {{flow: {{shard_points: 1}}}}\n"
    )
    found = project.collect("many", "--cores", "1", "--verbose")
    assert found.code == 0, found.output
    assert found.jobs["simulate"] == SHARDS
    looks = found.output.count("Resources before job selection")
    assert 0 < looks <= MOST_OF_A_JOB * (SHARDS + 1)
