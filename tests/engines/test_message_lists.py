"""A message list as Parquet: the simulator gets a CSV file, rows stay the planned point's."""

import json

import pyarrow.csv
import pyarrow.parquet as pq
from weft.engines import engine
from weft.engines.execute import run_shard
from weft.machine import MachineFile
from weft.plan import expand

from tests.config.conftest import tree

__all__ = ["tree"]
LIST = "src,dst,bytes\n0,1,1000\n1,2,3000\n2,0,500\n"
BODY = """
engines: [flow]
defaults: [override /topology: crossbar, override /workload: uniform]
topology: {nodes: 3}
workload: {pattern: file, file: %s, message_size: null, per_node: 1}
"""


def tables(tree, folder, file):
    """The tables that flow leaves for the list in `file`, computed twice: the second time from the
    journal."""
    tree.experiment(BODY % file)
    (point,) = expand(tree.load())
    version = engine("flow").version(MachineFile(), None)
    points = [{"point_id": point.point_id, **point.spec}]
    head = {"schema": 1, "engine": "flow", "engine_version": version, "shard": "b" * 12}
    folder.mkdir()
    order = folder / "shard.json"
    order.write_text(json.dumps({**head, "attempts": {}, "points": points}))
    for _ in range(2):
        run_shard(order, None, None, folder / "out", 1, folder / "run.log")
    return {
        name: pq.read_table(folder / "out" / f"{name}.parquet").to_pylist()
        for name in ("runs", "metrics", "messages")
    }


def test_a_list_in_parquet_leaves_the_rows_that_one_in_csv_leaves(tree, tmp_path, monkeypatch):
    monkeypatch.chdir(tree.root)
    (tree.root / "list.csv").write_text(LIST)
    pq.write_table(pyarrow.csv.read_csv(tree.root / "list.csv"), tree.root / "list.parquet")
    csv = tables(tree, tmp_path / "csv", "list.csv")
    parquet = tables(tree, tmp_path / "parquet", "list.parquet")
    assert [row["status"] for row in parquet["runs"]] == ["done"]
    for name in ("metrics", "messages"):
        without_id = [
            [{**row, "point_id": None} for row in found[name]] for found in (csv, parquet)
        ]
        assert without_id[0] == without_id[1]
