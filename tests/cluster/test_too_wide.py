"""Measurements on a partition that cannot hold the widest of them."""

import duckdb
import pytest

from tests.cluster.conftest import NATIVE, OFTEN
from tests.cluster.test_placement import MACHINE

pytestmark = [pytest.mark.slow, pytest.mark.long("cluster")]

WIDE = """
title: Wide
question: What is measured where 16 nodes are asked for and there are 4?
defaults: [override /workload: alltoall]
engines: [hardware]
engine: {hardware: {budget: 0.02 s, repetitions: 5}}
workload: {message_size: 8 B}
sweep: {workload.ranks: [2, 4, 16]}
replicates: 2
"""


def test_what_the_partition_cannot_hold_is_refused_and_the_others_ask_for_no_more_than_they_need(
    project,
):
    (project.folder / "configs" / "machine" / "native.yaml").write_text(MACHINE + "ranks: 64\n")
    project.write("wide", WIDE)
    earlier = {job["id"] for job in project.cluster.jobs()}
    command = ("results/wide/collected.json", "--config", "machine=native", *OFTEN, *NATIVE)
    output = project.finish(project.snakemake(*command))
    assert "2 points are not measured: 16 ranks need 16 nodes, 1 on each, but" in output
    assert "Slurm's default partition gives a job 4" in output
    jobs = [job for job in project.cluster.jobs() if job["id"] not in earlier]
    # Whole nodes of four processors.
    assert sorted(job["cpus"] for job in jobs) == ["16", "8"]
    with duckdb.connect(str(project.folder / "results/weft.duckdb"), read_only=True) as con:
        found = con.execute(
            'SELECT "workload.ranks", status, count(*) FROM runs'
            " JOIN parameters USING (experiment, point_id) GROUP BY ALL ORDER BY ALL"
        ).fetchall()
    assert found == [(2, "done", 2), (4, "done", 2), (16, "skipped", 2)]
