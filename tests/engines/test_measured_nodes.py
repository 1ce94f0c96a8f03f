"""Predictions on the nodes of a measurement: hosts become nodes of the graph by their names."""

import json

import pyarrow.parquet as pq
import pytest
from weft.engines import EngineError, engine
from weft.engines.execute import run_shard
from weft.engines.measured_hosts import read_placements, write_placements
from weft.engines.shards import resolve
from weft.files import sealed
from weft.files.layout import ShardFolder
from weft.machine import MachineFile
from weft.plan import expand
from weft.tables import write_table

from tests.config.conftest import tree

__all__ = ["tree"]
#: Two leaves; the names are not in the order in which Slurm gives nodes.
SITE = "from,to\nlogin,leaf1\nnode1,leaf1\nnode2 HCA-1,leaf2\nnode3 mlx5_0,leaf2\n"
SITE += "node3 mlx5_1,leaf2\nleaf1,leaf2\n"
BODY = """
engines: [%s, hardware]
defaults: [override /topology: graph, override /workload: pingpong]
topology: {file: site.csv}
network: {bandwidth: 1 GB/s, latency: 0 s, hop_latency: 10 us}
workload: {placement: measured, message_size: 8 B}
replicates: {hardware: 2, %s: 3}
"""


@pytest.fixture(autouse=True)
def site(tree, monkeypatch):
    (tree.root / "site.csv").write_text(SITE)
    monkeypatch.chdir(tree.root)


def planned(tree, engines="flow"):
    """The points of predictions, and those of the measurement, as shards hold them."""
    tree.experiment(BODY % (engines, engines))
    points = [{"point_id": p.point_id, **p.spec} for p in expand(tree.load())]
    is_measured = [p["engine"] == "hardware" for p in points]
    predicted = [p for p, measured in zip(points, is_measured, strict=True) if not measured]
    return predicted, [p for p, measured in zip(points, is_measured, strict=True) if measured]


def measurement(point, hosts):
    placement = {"source_point_id": point["point_id"], "hosts": hosts}
    return {"seed": point["seed"], "workload": point["workload"], "placement": placement}


def order(points):
    name = points[0]["engine"]
    head = {"schema": 1, "engine": name, "shard": "b" * 12, "attempts": {}, "points": points}
    return {**head, "engine_version": engine(name).version(MachineFile(), None)}


def resolved(points, measured):
    return resolve(order(points), None, measured)["points"]


def run(folder, points, measured):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "shard.json").write_text(json.dumps(order(points)))
    (folder / "placement.json").write_text(sealed({"measured": measured}))
    files = folder / "shard.json", None, None, folder / "out", 1, folder / "run.log"
    run_shard(*files, folder / "placement.json")
    tables = (folder / "out").glob("*.parquet")
    return {path.stem: pq.read_table(path).to_pylist() for path in tables}


def test_hosts_are_found_by_their_names_with_and_without_domain_and_device(tree):
    (first, *_), measured = planned(tree)
    for hosts, nodes in (
        (["node2", "node1"], [2, 1]),
        (["node2.site.org", "login"], [2, 0]),
        (["node1", "node1"], [1, 1]),
        (["node3 mlx5_1", "node1"], [4, 1]),
    ):
        (found,) = resolved([first], [measurement(measured[0], hosts)])
        assert found["options"]["rank_nodes"] == nodes


@pytest.mark.parametrize(
    ("hosts", "words"),
    [
        (["node9", "node1"], "the measurement ran on node9, which is not a node of the network"),
        (["node3", "node1"], "node3 may be any of these nodes: node3 mlx5_0, node3 mlx5_1"),
    ],
)
def test_a_host_that_is_no_node_skips_the_point_with_the_reason(tree, tmp_path, hosts, words):
    predicted, measured = planned(tree)
    found = run(tmp_path / "x", predicted[:1], [measurement(measured[0], hosts)])
    (row,) = found["runs"]
    assert row["status"] == "skipped"
    assert words in row["error"]
    assert row["error"].endswith("(site.csv)")


def test_a_replicate_follows_the_measurement_of_its_seed_or_else_the_first(tree):
    predicted, measured = planned(tree)
    both = [
        measurement(measured[0], ["node1", "login"]),
        measurement(measured[1], ["node1", "node2"]),
    ]
    found = [each["options"]["rank_nodes"] for each in resolved(predicted, both)]
    assert found == [[1, 0], [1, 2], [1, 0]]


def test_other_hosts_make_another_digest(tree):
    (first, *_), measured = planned(tree)
    digests = {
        resolved([first], [measurement(measured[0], ["node1", other])])[0]["digest"]
        for other in ("login", "node2", "login")
    }
    assert len(digests) == 2


def test_a_measurement_of_another_program_or_none_skips_the_point(tree, tmp_path):
    (first, *_), (point, _) = planned(tree)
    other = {**point, "workload": {**point["workload"], "program": "barrier"}}
    for place, measured in enumerate(([], [measurement(other, ["node1", "node2"])])):
        (row,) = run(tmp_path / str(place), [first], measured)["runs"]
        assert row["status"] == "skipped"
        assert row["error"] == "no measurement of pingpong with 2 ranks says where they ran"
    with pytest.raises(EngineError, match="needs the nodes of a measurement"):
        resolved([first], None)


@pytest.mark.parametrize("name", ["flow", "packet", "rdma"])
def test_every_network_predicts_the_allocation_that_was_measured(tree, tmp_path, name):
    """Across the leaves lies a hop of 10 µs more than within one."""
    predicted, measured = planned(tree, name)
    times = {}
    for other in ("login", "node2"):
        hosts = measurement(measured[0], ["node1", other])
        found = run(tmp_path / other, predicted[:1], [hosts])
        (row,) = found["runs"]
        assert row["error"] is None
        assert json.loads(row["environment"])["placement"]["hosts"] == ["node1", other]
        times[other] = next(
            row["value"] for row in found["metrics"] if row["metric"] == "one_way_time_s"
        )
    assert times["node2"] - times["login"] == pytest.approx(10e-6, rel=0.02)


def test_the_hosts_of_measurements_are_read_from_their_runs(tree, tmp_path):
    _, (first, second) = planned(tree)
    folder = tmp_path / "x" / "hardware" / ("b" * 12)
    left = ShardFolder(folder)
    folder.mkdir(parents=True)
    file = left.experiment.order(folder.name)
    file.parent.mkdir()
    file.write_text(json.dumps(order([first, second])))
    environment = json.dumps({"hosts": ["node1", "node2"]})
    rows = [
        {"point_id": first["point_id"], "attempt": 1, "status": "failed", "error": "killed"},
        {"point_id": first["point_id"], "attempt": 2, "status": "done", "environment": environment},
        {"point_id": second["point_id"], "attempt": 1, "status": "failed", "error": "no srun"},
    ]
    write_table("runs", rows, left.table("runs"))
    write_placements([folder], tmp_path / "x" / "placement.json")
    found = read_placements(tmp_path / "x" / "placement.json")
    assert [each["seed"] for each in found] == [1, 2]
    assert found[0]["placement"] == {
        "source_point_id": first["point_id"],
        "hosts": ["node1", "node2"],
    }
    problem = f"the measurement {second['point_id']} failed: no srun"
    assert found[1]["placement"]["problem"] == problem


@pytest.mark.parametrize("wrong", ["changed", "emptied", "of another kind", "of an earlier weft"])
def test_placements_that_somebody_altered_are_named(tree, tmp_path, wrong):
    (first, *_), (point, _) = planned(tree)
    measured = [measurement(point, ["node1", "node2"])]
    run(tmp_path / "x", [first], measured)
    file = tmp_path / "x" / "placement.json"
    texts = {
        "changed": file.read_text().replace("node2", "login"),
        "emptied": "",
        "of another kind": sealed({"points": []}),
        "of an earlier weft": json.dumps(measured),
    }
    file.write_text(texts[wrong])
    folder = tmp_path / "x"
    with pytest.raises(EngineError, match=r"x/placement.json is not what weft writes.*delete it"):
        run_shard(folder / "shard.json", None, None, folder / "out", 1, folder / "run.log", file)
