"""With a real BookSim2, where there is one: `booksim` on the PATH, or named in WEFT_BOOKSIM."""

import os

import pytest
from weft.engines.booksim.executable import find_executable
from weft.machine import MachineFile

from tests.engines.booksim.points import BATCH, MESH, NETWORK, TORUS, TRAFFIC, TREE, point, run

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def machine():
    found = find_executable(MachineFile(booksim_path=os.environ.get("WEFT_BOOKSIM")))
    if found is None:
        pytest.skip("no BookSim2 here: put booksim on the PATH, or name it in WEFT_BOOKSIM")
    return {"booksim_path": str(found)}


def answer(machine, folder, *parts, **more):
    (line,) = run(folder, machine, [point(*parts, **more)])
    assert line["error"] is None
    return {row["metric"]: row["value"] for row in line["metrics"]}


LIGHT = {**TRAFFIC, "injection_rate": 0.01, "message_bytes": [16]}
#: Cycles of a flit that meets nobody: a constant, and so many for each router that it visits.
PIPELINES = [
    (MESH, {}, 2, 5),
    (TORUS, {"channel_latency_cycles": 2}, 1, 6),
    (TREE, {}, 2, 5),
    (MESH, {"speculative": True}, 2, 4),
    (MESH, {"routing_delay_cycles": 0, "speculative": True}, 2, 3),
]


@pytest.mark.parametrize(("topology", "more", "constant", "per_router"), PIPELINES)
def test_zero_load_latency_is_that_of_the_pipeline(
    machine, tmp_path, topology, more, constant, per_router
):
    found = answer(machine, tmp_path, topology, LIGHT, warmup_cycles=1000, **more)
    expected = constant + per_router * (found["hops_mean"] + 1)
    # Packets that meet add a little; none is faster.
    assert expected <= found["network_latency_mean_cycles"] + 1e-3
    assert found["network_latency_mean_cycles"] < expected + 0.2
    assert found["saturated"] == 0


def test_a_network_beyond_its_capacity_is_saturated(machine, tmp_path):
    heavy = {**TRAFFIC, "injection_rate": 0.9, "message_bytes": [16]}
    found = answer(machine, tmp_path, MESH, heavy, warmup_cycles=1000, drain_cycles=1000)
    assert found["saturated"] == 1
    assert 0.3 < found["accepted_rate"] < 0.8


def test_a_batch_takes_at_least_as_long_as_its_flits(machine, tmp_path):
    found = answer(machine, tmp_path, TREE, BATCH, packet_flits=8, flit_bytes=None)
    assert found["makespan_cycles"] > 80
    cycle_s = 125 / 8 / NETWORK["bandwidth_bytes_per_s"]
    assert found["makespan_s"] == pytest.approx(found["makespan_cycles"] * cycle_s)


KINDS = [
    {"kind": "hypercube", "dimensions": 4, "nodes": 16},
    {"kind": "crossbar", "nodes": 16},
    {"kind": "fly", "k": 4, "stages": 2, "routing": "destination_tag", "nodes": 16},
    {"kind": "flattened_butterfly", "k": 2, "dimensions": 2, "concentration": 4,
     "routing": "minimal", "nodes": 16},
]  # fmt: skip


@pytest.mark.parametrize("topology", KINDS, ids=lambda topology: topology["kind"])
def test_every_topology_is_accepted(machine, tmp_path, topology):
    found = answer(machine, tmp_path, topology, LIGHT, measure_cycles=3000)
    assert found["accepted_rate"] == pytest.approx(0.01, rel=0.3)
