"""A prediction uses the nodes that Slurm gave to the measurement beside it."""

import json

import duckdb
import pytest

from tests.cluster.conftest import NATIVE, OFTEN

pytestmark = [pytest.mark.slow, pytest.mark.long("cluster")]

#: The cluster's own network, as its topology file has it. The login node comes first, so that the
#: first two nodes of the graph are not those that Slurm gives.
SITE = """from,to
login,leaf1
node1,leaf1
node2,leaf1
node3,leaf2
node4,leaf2
leaf1,spine
leaf2,spine
"""
PLACED = """
title: Placed
question: Where did the ranks run?
defaults:
  - override /topology: graph
  - override /network: gigabit
  - override /workload: pingpong
engines: [flow, hardware]
topology: {file: networks/site.csv, node_names: [login, node*]}
network: {hop_latency: 1 ms}
workload: {message_size: [8 B, 64 KiB]}
sweep: {workload.placement: [measured, random]}
replicates: {flow: 8, hardware: 1}
engine: {hardware: {budget: 0.05 s}}
"""
MACHINE = """
launcher: srun
mode: native
mpi: mpich
mpicc: mpicc.mpich
ranks_per_node: 1
exclusive: true
timeout: 10 min
"""
#: The measurement must get one node of each leaf.
BUSY = ("sbatch", "--nodelist=node2,node4", "--exclusive", "--output=/dev/null", "--wrap=sleep 600")


def test_a_prediction_runs_where_the_measurement_did_and_random_ones_spread(project):
    project.cluster("run", *BUSY)
    folder = project.folder / "networks"
    folder.mkdir()
    (folder / "site.csv").write_text(SITE)
    (project.folder / "configs" / "machine" / "native.yaml").write_text(MACHINE)
    project.write("placed", PLACED)
    command = ("results/placed/collected.json", "--config", "machine=native", *OFTEN, *NATIVE)
    project.finish(project.snakemake(*command))
    with duckdb.connect(str(project.folder / "results/weft.duckdb"), read_only=True) as con:
        measured = con.execute(
            "SELECT environment FROM runs WHERE engine = 'hardware' AND status = 'done'"
        ).fetchall()
        predicted = con.execute(
            'SELECT "workload.placement", runs.status, environment, value '
            "FROM answers JOIN runs USING (point_id) WHERE answers.engine = 'flow' "
            "AND metric = 'one_way_time_s' AND message_bytes = 8"
        ).fetchall()
    ((environment,),) = measured
    measurement = json.loads(environment)
    assert measurement["hosts"] == ["node1", "node3"]
    assert measurement["switch_distance"] == 3
    placed = [row for row in predicted if row[0] == "measured"]
    assert len(placed) == 8
    for _, status, environment, value in placed:
        assert status == "done"
        assert json.loads(environment)["placement"]["hosts"] == ["node1", "node3"]
        # Two channels between leaves and spine.
        assert value == pytest.approx(2e-3, rel=0.1)
    drawn = {round(row[3] * 1e3) for row in predicted if row[0] == "random"}
    assert drawn == {0, 2}, "some draws are within a leaf, others across"
