"""Shards that need more memory or time than their jobs have."""

import duckdb
import pytest

from tests.cluster.conftest import BINARY, NATIVE, OFTEN, ROOT
from tests.patience import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.long("cluster")]

POINTS = 40
#: Two shards: one wants too much memory, one too much time.
LIMITED = """
title: Limited
question: Do jobs that were too small come back larger?
defaults:
  - override /topology: fat_tree
  - override /network: gigabit
  - override /workload: uniform
engines: [flow]
engine: {flow: {shard_points: 20}}
topology: {k: 8, levels: 3}
replicates: 40
"""
MEMORY = "overrides=[machine.memory_per_job=1 GB]"
#: The first shard to come takes 1.4 GB, each time; the second waits, the first time.
SIMULATOR = f"""#!/bin/bash
cd "$(dirname "$0")"
[ "$1" = run ] || exec {ROOT / BINARY} "$@"
if mkdir greedy 2>/dev/null; then
    echo "$5" >greedy/folder
elif [ "$(cat greedy/folder)" != "$5" ] && mkdir slow 2>/dev/null; then
    echo "$SLURM_JOB_ID" >slow/job
    sleep 600
fi
waste=0
[ "$(cat greedy/folder)" != "$5" ] || waste=1400
cd "$OLDPWD"
exec python3 -c "
import os, sys
waste = bytearray(b'x') * ($waste << 20)
os.execv(sys.argv[1], sys.argv[1:])" {ROOT / BINARY} "$@"
"""


@pytest.fixture(scope="module")
def limited(project, cluster, tmp_path_factory):
    """Both shards, computed at last; the output of Snakemake beside the project."""
    folder = tmp_path_factory.mktemp("simulator")
    simulator = folder / "weft-flow"
    simulator.write_text(SIMULATOR)
    simulator.chmod(0o755)
    project.write("limited", LIMITED)
    earlier = {job["id"] for job in cluster.jobs()}
    target = "results/limited/collected.json"
    arguments = (target, *OFTEN, *NATIVE, "--config", MEMORY)
    snakemake = project.snakemake(*arguments, WEFT_FLOW=str(simulator))
    wait_until((folder / "slow" / "job").exists, "a slow simulator")
    number = (folder / "slow" / "job").read_text().strip()
    # The limit comes sooner than after the whole minute that Slurm takes at least. The controller
    # refuses a time that has passed when the request arrives, as `now` has on a busy machine.
    cluster("run", "scontrol", "update", f"JobId={number}", "EndTime=now+5")
    output = project.finish(snakemake)
    project.jobs = [job for job in cluster.jobs() if job["id"] not in earlier]
    return project, output


def rows(project, columns):
    with duckdb.connect(str(project.folder / "results/weft.duckdb"), read_only=True) as con:
        query = (
            f"SELECT {columns} FROM jobs WHERE experiment = 'limited' ORDER BY shard, started_at"
        )
        return con.execute(query).fetchall()


def test_every_point_is_computed_once(limited):
    computed = limited[0].computed("limited")
    assert len(computed) == len(set(computed)) == POINTS


def test_the_job_at_its_time_limit_is_submitted_again(limited):
    assert "ended as TIMEOUT" in limited[1]


def test_only_the_job_that_lacked_memory_has_twice_as_much(limited):
    asked = sorted(job["memory"] for job in limited[0].jobs)
    assert asked == ["1000M", "1000M", "1000M", "2000M"]


def test_the_database_reports_what_happened(limited):
    found = rows(limited[0], "outcome, slurm_state, detail")
    assert [row[0] for row in found].count("done") == 2
    assert any(state == "TIMEOUT" for _, state, _ in found)
    assert any(state == "OUT_OF_MEMORY" or "signal 9" in (why or "") for _, state, why in found)
