"""A trace from the experiment to the rows of its replay."""

import json

import pyarrow.parquet as pq
import pytest
from weft.engines import engine
from weft.engines.base import EngineError
from weft.engines.execute import run_shard
from weft.machine import MachineFile
from weft.plan import expand
from weft.tables.traces import write_trace

from tests.config.conftest import SHIPPED, tree

__all__ = ["tree"]
BODY = """
engines: [flow]
defaults: [override /topology: crossbar, override /network: infiniband_qdr,
           override /workload: replay]
topology: {nodes: 2}
workload: {file: x.weft-trace}
"""


ROWS = [
    {"rank": 0, "call": "Send", "peer": 1, "bytes": 64, "compute_s": 0.5},
    {"rank": 1, "call": "Recv", "peer": 0, "bytes": 64},
]


def order(tree, folder, rows=ROWS, notes=()):
    (tree.root / "programs" / "replay").symlink_to(SHIPPED.parent / "programs" / "replay")
    write_trace(tree.root / "x.weft-trace", 2, rows, notes=notes)
    tree.experiment(BODY)
    (point,) = expand(tree.load())
    version = engine("flow").version(MachineFile(), None)
    points = [{"point_id": point.point_id, **point.spec}]
    head = {"schema": 1, "engine": "flow", "engine_version": version, "shard": "b" * 12}
    folder.mkdir()
    file = folder / "shard.json"
    file.write_text(json.dumps({**head, "attempts": {}, "points": points}))
    return file


@pytest.mark.slow
def test_a_trace_of_an_experiment_is_replayed(tree, tmp_path, monkeypatch):
    monkeypatch.chdir(tree.root)
    folder = tmp_path / "run"
    run_shard(order(tree, folder), None, None, folder / "out", 1, folder / "run.log")
    (run,) = pq.read_table(folder / "out" / "runs.parquet").to_pylist()
    assert run["status"] == "done", run["error"]
    rows = pq.read_table(folder / "out" / "metrics.parquet").to_pylist()
    (time,) = (row["value"] for row in rows if row["metric"] == "program_time_s")
    assert 0.5 < time < 0.5001


@pytest.mark.slow
def test_what_a_conversion_noted_is_a_note_of_the_point(tree, tmp_path, monkeypatch):
    monkeypatch.chdir(tree.root)
    folder, noted = tmp_path / "run", ["1 of 2 ranks read or write files"]
    file = order(tree, folder, notes=noted)
    run_shard(file, None, None, folder / "out", 1, folder / "run.log")
    (run,) = pq.read_table(folder / "out" / "runs.parquet").to_pylist()
    assert json.loads(run["environment"])["notes"] == [f"x.weft-trace: {noted[0]}"]


@pytest.mark.slow
def test_the_memory_of_a_replay_does_not_grow_with_the_size_of_an_element(
    tree, tmp_path, monkeypatch
):
    """A datatype of a program may be a block of a matrix."""
    monkeypatch.chdir(tree.root)
    folder, size = tmp_path / "run", {"bytes": 64_000_000, "element_bytes": 64_000_000}
    rows = [{**row, **size} for row in ROWS]
    run_shard(order(tree, folder, rows), None, None, folder / "out", 1, folder / "run.log")
    (run,) = pq.read_table(folder / "out" / "runs.parquet").to_pylist()
    assert run["status"] == "done", run["error"]
    assert run["peak_rss_bytes"] < 100 << 20


def test_a_trace_that_changed_since_the_plan_is_refused(tree, tmp_path, monkeypatch):
    monkeypatch.chdir(tree.root)
    folder = tmp_path / "run"
    file = order(tree, folder)
    write_trace(tree.root / "x.weft-trace", 1, [{"rank": 0, "call": "Compute"}])
    with pytest.raises(EngineError, match=r"x\.weft-trace has changed since the plan was made"):
        run_shard(file, None, None, folder / "out", 1, folder / "run.log")
