"""A real Grid Engine, by `profiles/cluster` as it stands."""

import json
import shutil
from pathlib import Path

import duckdb
import pytest

from tests.cluster.conftest import NATIVE, Cluster, Project

pytestmark = [pytest.mark.slow, pytest.mark.long("grid_engine")]

SCRIPT = str(Path(__file__).with_name("grid_engine"))
ENGINED = """
title: Engined
question: Does Grid Engine do?
defaults:
  - override /topology: crossbar
  - override /network: gigabit
  - override /workload: pingpong
engines: [flow, hardware]
workload: {message_size: [8 B, 64 KiB]}
"""


@pytest.fixture
def engine(cluster: Cluster, tmp_path: Path) -> dict[str, str]:
    """The environment of Grid Engine's commands; jobs run on two nodes of the cluster."""
    if shutil.which("sge_qmaster") is None:
        pytest.skip("not installed: gridengine-master gridengine-exec gridengine-client")
    nodes = ("node1", "node2")
    said = cluster("run", SCRIPT, "up", str(tmp_path / "sge"), *nodes)
    found = dict(line.split("=", 1) for line in said.splitlines())
    for node in nodes:
        cluster("on", node, "env", *(f"{k}={v}" for k, v in found.items()), SCRIPT, "execute")
    return found


def test_points_are_computed_and_an_mpi_program_runs_on_two_nodes(engine, cluster, tmp_path):
    project = Project(tmp_path / "project", cluster)
    project.write("engined", ENGINED)
    command = ("snakemake", "--profile", "profiles/cluster", "results/engined/collected.json")
    project.finish(
        project.start(*command, *NATIVE, "--seconds-between-status-checks", "2", **engine)
    )
    with duckdb.connect(str(project.folder / "results/weft.duckdb"), read_only=True) as con:
        query = "SELECT engine, status, environment FROM runs ORDER BY engine"
        rows = con.execute(query).fetchall()
    assert [row[:2] for row in rows] == [("flow", "done"), ("hardware", "done")]
    # Grid Engine puts the node first that has less to do.
    assert sorted(json.loads(rows[1][2])["hosts"]) == ["node1", "node2"]
    assert {start["slurm_job_id"] for start in project.starts("engined") if "host" in start} == {
        "1",
        "2",
    }
