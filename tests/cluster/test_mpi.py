"""Measurements across two nodes: each MPI with the launcher srun, in every mode."""

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.conftest import ROOT, Cluster
from tests.containers_support import built_image
from tests.hardware.conftest import make_point
from tests.missing import missing
from tests.patience import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.long("cluster")]

Measure = Callable[..., dict[str, Any]]

#: One shard, measured as in a job of Snakemake's, which leaves only the job's number of Slurm's
#: variables.
JOB = """
import json, os, sys
from pathlib import Path
from weft.engines.base import ShardJob
from weft.engines.hardware.engine import HardwareEngine
from weft.machine import MachineFile
for name in [name for name in os.environ if name.startswith("SLURM_") and name != "SLURM_JOB_ID"]:
    del os.environ[name]
order = json.loads(Path(sys.argv[1]).read_text())
out = Path(sys.argv[1]).parent
image = Path(order["image"]) if order["image"] else None
shard = {"engine": "hardware", "engine_version": "test", "points": [order["point"]]}
machine = MachineFile.read(order["machine"])
job = ShardJob(shard, out, out, 1, out / "log", image=image, machine=machine)
HardwareEngine().run(job)
"""
SRUN = {"launcher": "srun", "ranks_per_node": 1, "timeout_s": 600}
MPICH = {"mpi": "mpich", "mpicc": "mpicc.mpich"}
#: Open MPI 4 takes its OFI transport for one-sided messages over TCP, and aborts.
OPEN_MPI = {"mpi": "openmpi", "mpicc": "mpicc.openmpi", "environment": {"OMPI_MCA_btl": "^ofi"}}
LIBRARIES = Path("/usr/lib") / f"{os.uname().machine}-{sys.platform}-gnu"
#: What Open MPI loads while it runs.
PLUGINS = [str(LIBRARIES / "openmpi"), str(LIBRARIES / "pmix2")]
SAYS = {"mpich": "MPICH", "openmpi": "Open MPI"}


@pytest.fixture
def measure(cluster: Cluster, tmp_path: Path) -> Measure:
    """Measures a ping-pong in a job of two whole nodes; the journal's line."""
    (tmp_path / "job.py").write_text(JOB)

    def run(machine: dict[str, Any], nodes: str = "node1,node2", **options: Any) -> dict[str, Any]:
        machine = {**SRUN, **machine}
        mode = machine.get("mode", "native")
        if mode != "hybrid" and shutil.which(machine["mpicc"]) is None:
            missing(f"{machine['mpicc']} is not installed")
        image = str(built_image("hardware")) if mode != "native" else None
        point = make_point("a", [8, 65536])
        point["options"] = {**point["options"], **options}
        order = {"machine": machine, "image": image, "point": point}
        (tmp_path / "order.json").write_text(json.dumps(order))
        log, ended = tmp_path / "slurm.log", tmp_path / "ended"
        command = f"{sys.executable} {tmp_path}/job.py {tmp_path}/order.json; touch {ended}"
        cluster(
            *("run", "env", f"PYTHONPATH={ROOT / 'workflow'}", "sbatch", "--nodes=2"),
            *("--ntasks-per-node=1", "--exclusive", f"--nodelist={nodes}", f"--output={log}"),
            *(f"--chdir={ROOT}", f"--wrap={command}"),
        )
        # `sbatch --wait` looks only every ten seconds.
        wait_until(ended.exists, "the job")
        journal = tmp_path / "journal.jsonl"
        assert journal.exists(), log.read_text()
        (line,) = map(json.loads, journal.read_text().splitlines())
        return dict(line)

    return run


def done(line: dict[str, Any]) -> dict[str, Any]:
    assert line["status"] == "done", (line["error"], line["log"], line["environment"])
    return dict(line["environment"])


@pytest.mark.parametrize("mpi", [MPICH, OPEN_MPI], ids=list(SAYS))
@pytest.mark.parametrize("mode", ["native", "hybrid", "bind"])
def test_two_nodes_measure_with_one_rank_each(mpi, mode, measure):
    settings = {**mpi, "mode": mode}
    if mode == "bind" and mpi is OPEN_MPI:
        settings["binds"] = PLUGINS
    line = measure(settings)
    environment = done(line)
    assert environment["hosts"] == ["node1", "node2"]
    assert environment["mpi_library"].startswith(SAYS[mpi["mpi"]])
    assert environment["slurm_version"].startswith("slurm")
    assert environment["mode"] == mode
    assert ("image" in environment) == (mode != "native")
    assert {m["message_bytes"] for m in line["metrics"] if m["metric"] == "one_way_time_s"} == {
        8,
        65536,
    }
    assert line["cpu_s"] > 0
    assert line["peak_rss_bytes"] > 1e6


def test_the_fabric_of_every_node_and_the_switches_between_them_are_recorded(measure):
    environment = done(measure(MPICH))
    assert list(environment["fabric"]) == ["node1", "node2"]
    assert all("eth0 " in text for text in environment["fabric"].values())
    assert environment["switch_distance"] == 1


def test_nodes_below_two_leaf_switches_are_three_switches_apart(measure):
    assert done(measure(MPICH, nodes="node2,node3"))["switch_distance"] == 3


def test_a_rank_that_slurm_did_not_bind_is_reported(measure):
    """The cluster has no plugin that binds, like a site that forgot it."""
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one processor only")
    environment = done(measure({**MPICH, "bind": "core"}))
    assert environment["binding"]["asked"] == "core"
    assert not environment["binding"]["ok"]
    assert environment["binding_problem"].startswith("asked for one core, but rank 0 on node1 may")


def test_a_rank_that_takes_too_long_is_stopped_on_every_node(measure, cluster):
    line = measure({**MPICH, "timeout_s": 2}, repetitions=20_000_000, budget_s=60)
    assert line["error"] == "pingpong did not end within 2 s and was stopped"
    for node in ("node1", "node2"):
        ps = ("on", node, "ps", "-e", "-o", "comm=")
        wait_until(lambda ps=ps: "pingpong" not in cluster(*ps), f"the end of ranks on {node}")
