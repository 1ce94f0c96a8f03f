"""Links with one virtual channel for each class of packets, which wait between two packets."""

import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from weft.engines import engine
from weft.engines.execute import run_shard
from weft.files.layout import ExperimentFolder
from weft.machine import MachineFile
from weft.plan import build_plan, expand
from weft.plan.build import flit_notes, turnarounds_of_engine

SHIPPED = Path(__file__).parents[2] / "programs"
BYTES, BYTES_PER_S = 1 << 18, 125e6
GIGABIT = "network: {bandwidth: 1 Gbit/s, latency: 0 s, hop_latency: 0 s}\n"
TORUS, MESH = "{kind: torus, sizes: [4]}", "{kind: mesh, sizes: [4]}"
SAID = (
    "where engine.packet.virtual_channels is {}, links carry at most 0.89 of their rate, because"
    " there is one for each class of packets: the next packet waits 2 cycles for its route and its"
    " virtual channel after each one of 16 flits; with {} virtual channels another one sends"
    " meanwhile"
)


def planned(tree, topology, options=""):
    """An experiment with one message on `topology`, and its points."""
    shutil.copy(SHIPPED / "point_to_point.c", tree.configs / "experiment/one.c")
    tree.write("workload/uniform.yaml", "kind: program\nprogram: one\nranks: 2\n")
    tree.write("topology/mesh.yaml", f"{topology[1:-1].replace(', ', chr(10), 1)}\n")
    tree.experiment(
        f"defaults: [override /topology: mesh]\nengines: [packet, flow]\n{GIGABIT}"
        f"engine: {{packet: {{{options}}}}}\nworkload: {{message_size: {BYTES} B}}\n"
    )
    experiment = tree.load()
    return experiment, expand(experiment)


@pytest.mark.parametrize(
    ("topology", "options", "said"),
    [
        (TORUS, "", [SAID.format(2, 4)]),
        (MESH, "", []),
        (TORUS, "virtual_channels: 4", []),
        (MESH, "virtual_channels: 1", [SAID.format(1, 2)]),
        (TORUS, "torus_classes: balanced", []),
    ],
)
def test_plan_and_page_say_that_links_wait_between_packets(tree, topology, options, said):
    experiment, points = planned(tree, topology, options)
    assert [*flit_notes(experiment, points)] == [f"packet: {each}" for each in said]
    engines = build_plan(experiment, points, {"packet": "1", "flow": "1"}).report.engines
    for name, expected in (("packet", said), ("flow", [])):
        held = [text for text, _ in engines[name].leaves_out if "of their rate" in text]
        assert held == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("topology", "options", "flits", "cycles"),
    [
        (TORUS, "", 16, 2),
        (MESH, "virtual_channels: 1", 16, 2),
        (TORUS, "packet_flits: 4", 4, 2),
        (TORUS, "packet_flits: 1", 1, 2),
        (TORUS, "packet_flits: 64, routing_delay_cycles: 3", 64, 4),
        (TORUS, "routing_delay_cycles: 0", 16, 1),
        (TORUS, "speculative: true", 16, 1),
        (TORUS, "vc_allocation_delay_cycles: 4", 16, 5),
    ],
)  # fmt: skip
def test_the_simulator_takes_so_long(tree, tmp_path, monkeypatch, topology, options, flits, cycles):
    monkeypatch.chdir(tree.root)
    experiment, points = planned(tree, topology, options)
    [found] = turnarounds_of_engine(experiment.declared["packet"], points)
    assert (found.packet_flits, found.cycles) == (flits, cycles)
    mine = ExperimentFolder(tmp_path / "results" / "e")
    [spec] = [point.spec for point in points if point.spec["engine"] == "packet"]
    order = {
        "schema": 1, "engine": "packet", "shard": "b" * 12, "attempts": {}, "machine": {},
        "engine_version": engine("packet").version(MachineFile(), None),
        "points": [{"point_id": "0" * 12, **spec}],
    }  # fmt: skip
    file, left = mine.order("b" * 12), mine.shard("packet", "b" * 12)
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(order))
    run_shard(file, None, None, left.path, 1, left.log)
    rows = pq.read_table(left.path / "metrics.parquet").to_pylist()
    [time_s] = [row["value"] for row in rows if row["metric"] == "program_time_s"]
    # The first packet has no other one before it.
    assert time_s == pytest.approx(BYTES / BYTES_PER_S / found.share, rel=0.005)
